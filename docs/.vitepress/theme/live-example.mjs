// An example that runs in the page: its code, which a reader may edit, a button, and the output below it.
import { useData } from 'vitepress';
import { h, onMounted, ref } from 'vue';
import './live.css';

const drawLine = ({ call, status, text, isOpen, isFailed }) => {
  if (!call) return h('pre', { class: { bad: isFailed } }, text);
  const summary = h('summary', [h('b', { class: status < 400 ? 'good' : 'bad' }, status), ` ${call}`]);
  return h('details', { open: isOpen }, [summary, h('pre', text)]);
};

const EDITABLE = {
  contentEditable: 'plaintext-only',
  spellcheck: false,
  role: 'textbox',
  ariaMultiLine: 'true',
  ariaLabel: 'Example',
};

export const LiveExample = {
  props: { kind: { type: String, required: true } },
  setup: ({ kind }, { slots }) => {
    const { site } = useData();
    const example = ref();
    const lines = ref();
    const isRunning = ref(false);
    const isInText = kind === 'call';
    const codeOf = () => example.value.querySelector('code');

    const run = async (what, code) => {
      isRunning.value = true;
      lines.value = [];
      // The code to run examples is of the browser alone.
      const { runExample } = import.meta.env.SSR ? {} : await import('../run.mjs');
      await runExample(what, code, site.value.base, (line) => lines.value.push(line));
      isRunning.value = false;
    };
    onMounted(() => isInText || Object.assign(codeOf(), EDITABLE));

    const drawButton = (says, onClick) => h('button', { type: 'button', disabled: isRunning.value, onClick }, says);
    const drawFoot = () => {
      const reset = drawButton('Reset', () => run('call', 'POST /_mock/reset {}'));
      return h('p', ['The mock runs in this page and keeps its data. ', reset]);
    };
    const drawLines = () => {
      const box = { class: 'lines', role: 'log', 'aria-label': 'Output', tabindex: 0 };
      return h('div', box, [lines.value.map(drawLine), isInText ? undefined : drawFoot()]);
    };
    return () =>
      h(isInText ? 'span' : 'div', { class: `live ${kind}` }, [
        h(isInText ? 'span' : 'div', { ref: example }, slots.default()),
        drawButton('Run', () => run(kind, codeOf().textContent)),
        lines.value && drawLines(),
      ]);
  },
};
