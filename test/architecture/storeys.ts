/**
 * The folders ("rooms") of `packages/core/src`, from top to bottom, each with the question that it answers. A room may import only rooms below it.
 * ARCHITECTURE.md has the same table, and storeys.test.ts compares both with the imports.
 */
export const STOREYS = [
  { room: '.', question: 'What does the package offer to the doors?' },
  { room: 'procedures', question: 'Which operations are there, and who may call them?' },
  { room: 'privacy', question: 'What is known about a person?' },
  { room: 'portal', question: 'What does an affiliate see?' },
  { room: 'imports', question: 'How does a program move in?' },
  { room: 'reports', question: 'How is the program doing?' },
  { room: 'intake', question: 'How do facts come in?' },
  { room: 'attribution', question: 'Who sent the customer?' },
  { room: 'payouts', question: 'How are affiliates paid?' },
  { room: 'ledger', question: 'What is earned, owed and paid?' },
  { room: 'rewards', question: 'What is a sale worth?' },
  { room: 'codes', question: 'Which codes attribute sales?' },
  { room: 'sources', question: 'How do we talk to payment providers?' },
  { room: 'program', question: 'What is a program made of?' },
  { room: 'webhooks', question: 'Who is told?' },
  { room: 'identity', question: 'Who may come in?' },
  { room: 'platform', question: 'What does everything stand on?' },
] as const;

export interface Import {
  from: string;
  to: string;
}

/** An import between two sibling folders. `.` stands for the files directly in their parent folder. */
interface FolderEdge {
  parent: string;
  from: string;
  to: string;
  cause: Import;
}

/** Turns imports between files into edges between sibling folders. All paths must be relative to the same directory. */
function folderEdges(imports: readonly Import[]): FolderEdge[] {
  return imports.flatMap((cause) => {
    const [from, to] = [cause.from.split('/'), cause.to.split('/')];
    let depth = 0;
    while (depth < Math.min(from.length, to.length) - 1 && from[depth] === to[depth]) depth += 1;
    const child = (path: string[]) => (depth === path.length - 1 ? '.' : path[depth]!);
    const edge = { parent: from.slice(0, depth).join('/'), from: child(from), to: child(to), cause };
    return edge.from === edge.to ? [] : [edge];
  });
}

/** Finds imports from a room into a room above it. */
export function upwardImports(imports: readonly Import[], rooms: readonly string[]): string[] {
  return folderEdges(imports)
    .filter(({ parent }) => parent === '')
    .filter(({ from, to }) => rooms.indexOf(from) > rooms.indexOf(to))
    .map(({ from, to, cause }) => `${from} must not import ${to}: ${cause.from} -> ${cause.to}`);
}

/** Finds imports that are part of a cycle between sibling folders, at any depth. */
export function folderCycles(imports: readonly Import[]): string[] {
  return [...Map.groupBy(folderEdges(imports), ({ parent }) => parent).values()].flatMap((edges) =>
    edges
      .filter(({ from, to }) => reachable(edges, to).has(from))
      .map(({ parent, from, to, cause }) => `in ${parent || 'src'}: ${from} <-> ${to}: ${cause.from} -> ${cause.to}`),
  );
}

function reachable(edges: readonly FolderEdge[], start: string): Set<string> {
  const seen = new Set<string>();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const { from, to } of edges) {
      if (from !== folder || seen.has(to)) continue;
      seen.add(to);
      open.push(to);
    }
  }
  return seen;
}
