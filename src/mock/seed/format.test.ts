// The schema of the seed file says what the contract says.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { CHOICES, choiceProblems } from '../../service/contract/choices.ts';
import { LENGTHS } from '../../service/contract/limits.ts';
import { SEED_SCHEMA } from './format.ts';
import { checkSeed, seedFaults } from './read.ts';
import { SeedTimeReader } from './times.ts';

type Node = Readonly<Record<string, unknown>>;
const schemasIn = (schema: Node): readonly Node[] => [
  schema,
  ...Object.values((schema.properties ?? {}) as Record<string, Node>).flatMap(schemasIn),
  ...(schema.items ? schemasIn(schema.items as Node) : []),
  ...((schema.anyOf ?? []) as Node[]).flatMap(schemasIn),
];

describe('the schema of the seed file', () => {
  const all = schemasIn(SEED_SCHEMA);

  test('closes every object', () => {
    expect(all.filter(({ type, additionalProperties }) => type === 'object' && additionalProperties !== false)).toEqual([]);
  });

  test('is a JSON Schema that a validator compiles', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validate = ajv.compile(SEED_SCHEMA);
    expect(validate({ workspaces: [{ id: 'ws', users: [{}], api_keys: [{}] }] })).toBe(true);
    expect(validate({ workspaces: [{ id: 'ws', users: [{}] }] })).toBe(false);
  });

  test('takes exactly the choices that the table of choices takes, as text or as the number that YAML reads', () => {
    const fits = (choices: object) =>
      seedFaults({ workspaces: [{ id: 'ws', users: [{}], api_keys: [{}] }], choices }, new SeedTimeReader(0)).length === 0;
    for (const [name, { options }] of Object.entries(CHOICES)) {
      for (const option of [...Object.keys(options), 'neither']) {
        const choice = { [name]: option };
        expect(fits(choice), `${name}: ${option}`).toBe(choiceProblems(choice).length === 0);
        if (/^\d+$/.test(option)) expect(fits({ [name]: Number(option) })).toBe(true);
      }
    }
  });

  test('counts lengths in code points, up to the limits of the contract', async () => {
    const seed = (title: string, name: string) => ({
      workspaces: [{ id: 'ws', users: [{}], api_keys: [{}], projects: [{ name, tasks: [{ title }] }] }],
    });
    const options = { name: 'seed', now: 0 };
    await checkSeed(seed('🦔'.repeat(LENGTHS.taskTitle), '🦔'.repeat(LENGTHS.projectName)), options);
    await expect(checkSeed(seed('🦔'.repeat(LENGTHS.taskTitle + 1), 'x'), options)).rejects.toThrow(
      'workspaces[0].projects[0].tasks[0].title: too long, expected at most 255 characters, got 256 characters',
    );
  });
});
