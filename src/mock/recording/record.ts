// Records the external input of a host's worlds: requests, timers, responses of receivers.
import { Problem } from '../../service/contract/errors.ts';
import {
  checkStep,
  type Fetch,
  type MemoryLimit,
  type RecordedSource,
  type RecordedWorld,
  type Recording,
  TOO_MUCH,
} from '../control/recorder.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { responseParts } from './compare.ts';
import { HostRecorder } from './host-recorder.ts';
import { pastOf } from './past-worlds.ts';
import { type RecordedStep, readStep, type WorldRecording } from './recorded-step.ts';
import type { Repro } from './steps.ts';
import { nextTurn, StepRecorder } from './world-recorder.ts';
import type { Saving } from './write-file.ts';

export class Recorder extends HostRecorder implements Recording {
  readonly #version: string;
  readonly #isRecent: boolean;
  replayTo?: NonNullable<Recording['replayTo']>;

  /** @param version of wm-mock, which its files say @param isRecent keeps recent steps alone, as far as the memory of its host goes */
  constructor(version = '', isRecent = false) {
    super();
    this.#version = version;
    this.#isRecent = isRecent;
  }

  bound(memory: MemoryLimit): void {
    if (this.#isRecent) this.keepRecent(memory);
  }

  dropped(world: string): number {
    return this.recorders.get(world)?.dropped ?? 0;
  }

  recorderOf(world: string, origin: Snapshot, source?: RecordedSource): StepRecorder {
    const recorder = new StepRecorder(world, origin, this, source);
    this.recorders.set(world, recorder);
    return recorder;
  }

  end(world: string): void {
    const recorder = this.recorders.get(world);
    if (recorder) recorder.hasEnded = true;
  }

  forget(world: string): void {
    this.recorders.get(world)?.giveUp();
    this.recorders.delete(world);
  }

  #pastOf(world: string) {
    const own = this.recorders.get(world);
    if (own?.isGivenUp !== false) return undefined;
    // A closed world does not belong to open ones.
    const recorders = [...this.recorders.values()].filter(({ hasEnded }) => own.hasEnded || !hasEnded);
    const all = recorders.flatMap(({ steps }) => steps).sort((a, b) => a.n - b.n);
    const past = pastOf(all, world);
    // Recent steps keep their numbers: earlier ones may be missing.
    const numbers = new Map(past.steps.map(({ step: { n } }, i) => [n, this.#isRecent ? n : i + 1]));
    return { ...past, numbers };
  }

  /** A copy of a world's recording: later steps do not change it. */
  of(world: string): WorldRecording | undefined {
    const past = this.#pastOf(world);
    if (!past) return undefined;
    const steps = past.steps.map(({ step: { response, made, ...step }, upTo }): RecordedStep => {
      const hasResponse = response && step.until! <= upTo;
      return readStep(hasResponse ? { ...step, response, made } : step);
    });
    const worlds = [past.root, world, ...steps.map((one) => one.world)];
    const origins = new Map(worlds.map((one) => [one, this.recorders.get(one)!.origin]));
    const start = this.recorders.get(past.root)!.startsAt;
    return { ...past, world, origins, start, steps, dropped: this.#isRecent ? (start?.dropped ?? 0) : undefined };
  }

  stepsOf(world: string): ReadonlyMap<number, number> | undefined {
    return this.#pastOf(world)?.numbers;
  }

  /** Without the call that asks for it, which is recorded itself. */
  async rewind(instance: RecordedWorld, step: number, before: boolean): Promise<Snapshot> {
    const kept = this.of(instance.id);
    if (!kept || !this.replayTo) throw new Problem(409, 'conflict', TOO_MUCH);
    const past = { ...kept, steps: kept.steps.slice(0, -1) };
    checkStep(step, [...kept.numbers.values()].slice(0, -1));
    return this.replayTo(await this.#write(past, { world: instance.world, unmasked: true }), step, before);
  }

  async #write(kept: WorldRecording, { world, ...more }: Pick<Saving, 'world' | 'title' | 'unmasked'>): Promise<Repro> {
    const saving = { version: this.#version, options: this.options(), world: world.fork(), ...more };
    const { writeFile } = await import('./write-file.ts');
    return writeFile(kept, saving);
  }

  async save({ id, world }: RecordedWorld, title?: string): Promise<Repro | undefined> {
    const kept = this.of(id);
    return kept && this.#write(kept, { world, title });
  }

  watch(fetch: Fetch): Fetch {
    return (request, env) => {
      const isServed = env !== undefined && 'incoming' in env;
      const response = isServed ? fetch(request, env) : undefined;
      // A request of the service notes its response itself, and nothing else runs within a turn of a socket.
      if (isServed && !(response instanceof Promise)) return response!;
      return this.#watched(request, () => response ?? fetch(request, env), isServed);
    };
  }

  async #watched(request: Request, respond: () => ReturnType<Fetch>, isServed: boolean): Promise<Response> {
    let response: Response | undefined;
    try {
      response = await respond();
      return response;
    } finally {
      const step = this.open.get(request);
      if (step) this.recorders.get(step.world)?.responded(step, await responseParts(response), request);
      if (step || !isServed) await nextTurn();
    }
  }
}
