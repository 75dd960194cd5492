// Records the external input of a host's worlds: requests, timers, responses of receivers.
import { Problem } from '../../service/contract/errors.ts';
import type { Socket } from '../../service/http/respond-with-fault.ts';
import { checkStep, type Fetch, type RecordedWorld, type Recording, TOO_MUCH } from '../control/recorder.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { responseParts } from './compare.ts';
import { pastOf } from './past-worlds.ts';
import type { Repro } from './steps.ts';
import { HostRecorder, nextTurn, type RecordedStep, StepRecorder, type WorldRecording } from './world-recorder.ts';
import type { Saving } from './write-file.ts';

export class Recorder extends HostRecorder implements Recording {
  readonly #version: string;
  replayTo?: NonNullable<Recording['replayTo']>;

  /** @param version of wm-mock, which its files say */
  constructor(version = '') {
    super();
    this.#version = version;
  }

  recorderOf(world: string, origin: Snapshot): StepRecorder {
    const recorder = new StepRecorder(world, origin, this);
    this.recorders.set(world, recorder);
    return recorder;
  }

  end(world: string): void {
    const recorder = this.recorders.get(world);
    if (recorder) recorder.hasEnded = true;
  }

  forget(world: string): void {
    this.recorders.get(world)?.empty();
    this.recorders.delete(world);
  }

  /** A copy of a world's recording: later steps do not change it. */
  of(world: string): WorldRecording | undefined {
    const own = this.recorders.get(world);
    if (own?.isGivenUp !== false) return undefined;
    // A closed world does not belong to open ones.
    const recorders = [...this.recorders.values()].filter(({ hasEnded }) => own.hasEnded || !hasEnded);
    const all = recorders.flatMap(({ steps }) => steps).sort((a, b) => a.n - b.n);
    const past = pastOf(all, world);
    const steps = past.steps.map(
      ({ step: { response, made, ...step }, upTo }): RecordedStep =>
        response && step.until! <= upTo ? { ...step, response, made } : step,
    );
    const worlds = [past.root, world, ...steps.map((one) => one.world)];
    const origins = new Map(worlds.map((one) => [one, this.recorders.get(one)!.origin]));
    return { world, root: past.root, origins, steps };
  }

  stepsOf(world: string): ReadonlyMap<number, number> | undefined {
    const kept = this.of(world);
    return kept && new Map(kept.steps.map(({ n }, i) => [n, i + 1]));
  }

  /** Without the call that asks for it, which is recorded itself. */
  async rewind(instance: RecordedWorld, step: number, before: boolean): Promise<Snapshot> {
    const kept = this.of(instance.id);
    if (!kept || !this.replayTo) throw new Problem(409, 'conflict', TOO_MUCH);
    const past = { ...kept, steps: kept.steps.slice(0, -1) };
    checkStep(step, past.steps.length);
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
    return async (request, env: Socket = {}) => {
      const { outgoing } = env;
      const watched = outgoing && {
        destroy: () => outgoing.destroy(),
        once: (event: 'close', left: () => void) => outgoing.once(event, () => this.#left(request, left)),
      };
      let response: Response | undefined;
      try {
        response = await fetch(request, { ...env, Response: undefined, ...(watched && { outgoing: watched }) });
        return response;
      } finally {
        const step = this.requests.get(request);
        if (step) {
          const parts = await responseParts(response);
          this.recorders.get(step.world)?.responded(step, parts);
          await nextTurn();
        }
      }
    };
  }

  #left(request: Request, left: () => void): void {
    const step = this.requests.get(request);
    if (step && !step.response) this.recorders.get(step.world)?.add({ kind: 'gone', request: step.n });
    left();
  }
}
