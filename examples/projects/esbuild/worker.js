import { start } from 'wm-mock/service-worker';
import seed from './seed.json';

start({ seed });
