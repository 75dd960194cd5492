// The contract suite as vitest: the target and its keys come from the environment.
import { contract } from './vitest.ts';

contract();
