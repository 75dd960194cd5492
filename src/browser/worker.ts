// The script that a page copies beside itself: bundled into one file, it needs nothing else.
import { start } from './start.ts';

start();
