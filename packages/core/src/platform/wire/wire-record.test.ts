import { defineEntity, p } from '@mikro-orm/core';
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, DummyDriver } from 'kysely';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { cents, instant as instantColumn } from '../db/columns.ts';
import { jsonObject, jsonWord } from '../db/json-text.ts';
import { id, instant } from './scalars.ts';
import { fieldNames, wireRecord } from './wire-record.ts';

const Badge = defineEntity({
  name: 'Badge',
  tableName: 'badge',
  properties: {
    id: p.string().primary(),
    account_id: p.string(),
    color: p.string().$type<'red' | 'blue'>(),
    external_id: p.string().strictNullable(),
    price_cents: cents(),
    worn_at: instantColumn().strictNullable(),
  },
});
const schema = z.object({
  id: id('link'),
  color: z.enum(['red', 'blue']),
  external_id: z.string().nullable(),
  price_cents: z.int(),
  worn_at: instant().nullable(),
  owner_id: id('affiliate').nullable(),
});
const BADGE = wireRecord(Badge, schema);

const row = { id: 'b1', account_id: 'acct_1', color: 'red' as const, external_id: 'a"b', price_cents: 5, worn_at: null };

it('a record shows the fields of its schema, from the columns of the same name', () => {
  expect(BADGE.of(row, { owner_id: 'aff_1' })).toEqual({
    id: 'b1',
    color: 'red',
    external_id: 'a"b',
    price_cents: 5,
    worn_at: null,
    owner_id: 'aff_1',
  });
  expect(BADGE.names).toEqual(['id', 'color', 'external_id', 'price_cents', 'worn_at', 'owner_id']);
  expect(BADGE.names).toEqual(fieldNames(schema));
  expect([...BADGE.columns, ...BADGE.computed]).toEqual(BADGE.names);
  expect(BADGE.computed).toEqual(['owner_id']);
  expect(BADGE.qualified).toEqual(['badge.id', 'badge.color', 'badge.external_id', 'badge.price_cents', 'badge.worn_at']);
});

it('the JSON of a record has the same fields, and escapes what may need it', () => {
  const db = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const text = sql`select ${jsonObject(BADGE.json('b', { owner_id: jsonWord(sql`h.id`) }))}`.compile(db).sql;
  expect([...text.matchAll(/[{,]"(\w+)":/g)].map(([, name]) => name)).toEqual(BADGE.names);
  expect(text).toContain(`to_json("b"."external_id")::text`);
  expect(text).toContain(`wire_time("b"."worn_at")`);
  expect(text).toContain(`'"' || "b"."color" || '"'`);
});
