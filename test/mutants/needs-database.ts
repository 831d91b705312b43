/** Leaves out what no test without a database can tell: SQL, and functions that take the context of a call or services. */

/** The part of a node of Babel's tree that is needed here. */
interface Path {
  node: { params?: readonly unknown[] };
  isFunction(): boolean;
  isTaggedTemplateExpression(): boolean;
}

const TYPES = /"name":"(?:\w*Ctx|Rows|Services)"/;

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'needs-database',
    value: {
      shouldIgnore(path: Path): string | undefined {
        if (path.isTaggedTemplateExpression()) return 'is SQL';
        return path.isFunction() && TYPES.test(JSON.stringify(path.node.params)) ? 'needs a database' : undefined;
      },
    },
  },
];
