// Another revision of the app beside this one: a git worktree with the same installed packages.
import { execFile } from 'node:child_process';
import { access, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { type Io, UsageError } from '../command-line/io.ts';

const run = promisify(execFile);

/** Calls with the folder that is the current one in a checkout of a ref. @throws UsageError when git has no such ref */
export const withCheckout = async <T>({ cwd }: Io, ref: string, work: (folder: string) => Promise<T>): Promise<T> => {
  const git = async (...words: readonly string[]) => (await run('git', words, { cwd })).stdout.trim();
  const root = await git('rev-parse', '--show-toplevel').catch(() => {
    throw new UsageError(`--prove: ${cwd} is in no git repository. Run it where your app is checked out.`, 1);
  });
  const tree = await mkdtemp(join(tmpdir(), 'wm-mock-base-'));
  try {
    await git('worktree', 'add', '--detach', '--force', tree, ref).catch((error: { readonly stderr?: string }) => {
      throw new UsageError(
        `--prove: cannot check out "${ref}": ${String(error.stderr).trim()} Give a branch, a tag or a commit.`,
        1,
      );
    });
    const folder = join(tree, relative(root, cwd));
    for (const [from, to] of [
      [root, tree],
      [cwd, folder],
    ] as const) {
      const packages = join(from, 'node_modules');
      const isThere = await access(packages).then(
        () => true,
        () => false,
      );
      if (isThere) await symlink(packages, join(to, 'node_modules')).catch(() => {});
    }
    return await work(folder);
  } finally {
    await git('worktree', 'remove', '--force', tree).catch(() => {});
    await rm(tree, { recursive: true, force: true, maxRetries: 9 });
  }
};
