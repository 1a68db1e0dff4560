// The sounds, computed: a short burst of noise, as wood hits wood, and the damped tones of what was hit.
import type { Cue } from './cues';

/** A tone of struck wood: frequency, share of the volume, and seconds until it has fallen to a third. */
type Tone = readonly [hertz: number, share: number, decay: number];

interface Knock {
  /** Seconds after the beginning. */
  at: number;
  volume: number;
  /** Share of noise in the blow, and seconds until it has fallen to a third. */
  noise: number;
  noiseDecay: number;
  tones: readonly Tone[];
}

/** A piece that is set down on the board: low, short. */
const BOARD: readonly Tone[] = [
  [196, 0.5, 0.045],
  [523, 0.42, 0.032],
  [1180, 0.3, 0.018],
  [2440, 0.16, 0.009],
];
/** A piece that hits another one: smaller, so higher. */
const PIECE: readonly Tone[] = [
  [880, 0.5, 0.022],
  [1930, 0.35, 0.014],
  [3400, 0.2, 0.008],
];
/** A shell. */
const SHELL: readonly Tone[] = [
  [1560, 0.4, 0.02],
  [2870, 0.4, 0.016],
  [4520, 0.25, 0.01],
];

/** A hollow block of wood, as it is beaten in a temple; the tones are those of a short beam. */
const block = (hertz: number): readonly Tone[] => [
  [hertz, 0.7, 0.085],
  [hertz * 2.76, 0.22, 0.03],
  [hertz * 5.4, 0.08, 0.012],
];

const knock = (at: number, volume: number, tones: readonly Tone[], noise = 0.5, noiseDecay = 0.003): Knock => ({
  at,
  volume,
  noise,
  noiseDecay,
  tones,
});

const KNOCKS: Record<Cue, readonly Knock[]> = {
  move: [knock(0, 0.8, BOARD)],
  capture: [knock(0, 0.75, PIECE, 0.6), knock(0.055, 1, BOARD, 0.6, 0.004)],
  turn: [knock(0, 0.5, SHELL, 0.35), knock(0.07, 0.6, SHELL, 0.35), knock(0.15, 0.55, BOARD)],
  check: [knock(0, 0.55, block(820), 0.2), knock(0.1, 0.65, block(820), 0.2)],
  count: [knock(0, 0.6, block(392), 0.2), knock(0.16, 0.65, block(587), 0.2)],
  late: [knock(0, 0.6, block(659), 0.25)],
  end: [knock(0, 0.6, block(523), 0.2), knock(0.17, 0.6, block(440), 0.2), knock(0.36, 0.75, block(294), 0.2)],
};

/** Vibrations of a phone in milliseconds: on, off, on. */
export const VIBRATIONS: Record<Cue, readonly number[]> = {
  move: [12],
  capture: [25],
  turn: [12, 40, 12],
  check: [30, 50, 30],
  count: [50],
  late: [40],
  end: [60, 60, 120],
};

/** After so many decays nothing is left to hear. */
const DECAYS = 7;

/** Seconds that a sound lasts. */
export function lengthOf(cue: Cue): number {
  const ends = KNOCKS[cue].map(({ at, tones }) => at + DECAYS * Math.max(...tones.map(([, , decay]) => decay)));
  return Math.max(...ends);
}

/** The samples of a sound, between -1 and 1. The same each time. */
export function samplesOf(cue: Cue, rate: number): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(Math.ceil(lengthOf(cue) * rate));
  const random = noiseOf(cue.length);
  for (const { at, volume, noise, noiseDecay, tones } of KNOCKS[cue]) {
    const begin = Math.round(at * rate);
    let last = 0;
    for (let index = begin; index < samples.length; index++) {
      const time = (index - begin) / rate;
      const raw = random() * Math.exp(-time / noiseDecay);
      // Half of it goes through a simple low-pass filter, else it hisses.
      last += (raw - last) * 0.5;
      let value = noise * last;
      for (const [hertz, share, decay] of tones) {
        value += share * Math.sin(2 * Math.PI * hertz * time) * Math.exp(-time / decay);
      }
      samples[index] = (samples[index] ?? 0) + volume * value;
    }
  }
  return limited(samples);
}

/** No louder than the card can play, and without a click at the end. */
function limited(samples: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const fade = Math.min(samples.length, 200);
  return samples.map((value, index) => Math.tanh(value) * Math.min(1, (samples.length - 1 - index) / fade));
}

/** Random numbers from -1 to 1, the same for a seed. */
function noiseOf(seed: number): () => number {
  let state = seed * 7919 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}
