import webpack from 'webpack';

const output = (filename) => ({
  module: true,
  path: process.cwd() + '/out',
  filename,
  chunkFilename: filename.replace('.', '-[id].'),
});
const build = { mode: 'production', experiments: { outputModule: true } };
webpack(
  [
    { ...build, target: 'node', entry: './server.mjs', output: output('server.mjs') },
    { ...build, target: ['web', 'es2022'], entry: './page.mjs', output: { ...output('page.mjs'), chunkLoading: 'import' } },
  ],
  (error, stats) => {
    if (error || stats.hasErrors()) throw error ?? new Error(stats.toString({ all: false, errors: true }));
  },
);
