// The icons: strokes of one weight on a grid of 20, drawn for this page.

const PATHS: Readonly<Record<string, string>> = {
  overview: 'M3 9.5 10 4l7 5.5M5 8.5V16h10V8.5',
  data: 'M4 5.5h12v9H4zM4 9h12M4 12h12M8.5 5.5v9',
  requests: 'M4 7h10.5M12 4.5 14.5 7 12 9.5M16 13H5.5M8 10.5 5.5 13 8 15.5',
  webhooks: 'M10 4v6l3.5 3.5M10 17a7 7 0 1 1 7-7',
  clock: 'M10 6v4l2.5 1.5M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14z',
  faults: 'M10 3.5 17.5 16h-15zM10 8v4M10 14v.2',
  choices: 'M4 6h7M15 6h1M4 14h1M9 14h7M13 4v4M7 12v4',
  settings:
    'M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10 3v2M10 15v2M3 10h2M15 10h2M5 5l1.4 1.4M13.6 13.6 15 15M5 15l1.4-1.4M13.6 6.4 15 5',
  timeline: 'M6 3.5v13M6 6h9M6 10h6M6 14h8',
  docs: 'M5 3.5h7l3 3v10H5zM12 3.5v3h3M7.5 10h5M7.5 13h5',
  copy: 'M7.5 7.5h8v8h-8zM4.5 12.5v-8h8',
  world: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM3 10h14M10 3c2.5 2 2.5 12 0 14M10 3c-2.5 2-2.5 12 0 14',
  plus: 'M10 4.5v11M4.5 10h11',
  run: 'M7 5.5v9l7-4.5z',
  freeze: 'M7.5 5.5v9M12.5 5.5v9',
  down: 'M6 8l4 4 4-4',
  right: 'M8 5.5 12.5 10 8 14.5',
};

/** An icon beside words; those who do not see it miss nothing. */
export const Icon = ({ name }: { readonly name: string }) => (
  <svg class="icon" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false">
    <path d={PATHS[name] ?? PATHS.right!} />
  </svg>
);
