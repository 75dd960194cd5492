// What a reader does with `wm-mock/hosted`, on each Node that is promised.
import type worker from 'wm-mock/hosted';

const serves: typeof worker.fetch | undefined = undefined;
if (serves) throw new Error('no engine');
