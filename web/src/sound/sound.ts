// Plays what belongs to moves: sounds, vibration, the spoken count. Nothing sounds before a gesture of the user, as
// browsers want it.
import { settings } from '../state/settings';
import type { Cue } from './cues';
import { speak } from './speech';
import { lengthOf, samplesOf, VIBRATIONS } from './synth';

/** The gain of the settings off, quiet, medium and loud. */
const GAINS = [0, 0.12, 0.35, 0.9];
/** The volume of the voice for the same settings; it has a setting of its own, so it is never 0. */
const VOICES = [0.8, 0.4, 0.8, 1];
/** Seconds between the beginnings of two sounds of a move. */
const GAP = 0.13;
/** Events that browsers take for a gesture. */
const GESTURES = ['pointerup', 'keydown', 'click'];

let context: AudioContext | null = null;
const buffers = new Map<Cue, AudioBuffer>();

/** Makes the sounds possible from the first gesture on. */
export function listenForGestures(): void {
  for (const name of GESTURES) {
    document.addEventListener(name, wake, { capture: true, passive: true });
  }
}

/** In a gesture: makes or continues what plays the sounds. */
export function wake(): void {
  if (settings.value.sound === 0 || typeof AudioContext === 'undefined') {
    return;
  }
  context ??= new AudioContext();
  // Phones interrupt it, for a call say.
  if (context.state !== 'running') {
    context.resume().catch(() => {
      // The next gesture tries again.
    });
  }
}

function bufferOf(sounds: AudioContext, cue: Cue): AudioBuffer {
  let buffer = buffers.get(cue);
  if (!buffer) {
    const samples = samplesOf(cue, sounds.sampleRate);
    buffer = sounds.createBuffer(1, samples.length, sounds.sampleRate);
    buffer.copyToChannel(samples, 0);
    buffers.set(cue, buffer);
  }
  return buffer;
}

/** Plays the sounds of a move, and vibrates with them. They may overlap. */
export function playCues(cues: readonly Cue[]): void {
  const gain = GAINS[settings.value.sound] ?? 0;
  if (context && gain > 0) {
    const volume = context.createGain();
    volume.gain.value = gain;
    volume.connect(context.destination);
    let at = context.currentTime;
    for (const cue of cues) {
      const source = context.createBufferSource();
      source.buffer = bufferOf(context, cue);
      source.connect(volume);
      source.start(at);
      at += Math.min(GAP, lengthOf(cue));
    }
  }
  if (settings.value.vibration && canVibrate() && navigator.userActivation?.hasBeenActive !== false) {
    navigator.vibrate(cues.flatMap((cue, at) => [...(at > 0 ? [60] : []), ...VIBRATIONS[cue]]));
  }
}

export function speakNumber(number: number): void {
  const { sound, language } = settings.value;
  speak(number, language, VOICES[sound] ?? 1);
}

/** Whether the device vibrates: a phone or tablet whose browser offers it. */
export function canVibrate(): boolean {
  return typeof navigator.vibrate === 'function' && navigator.maxTouchPoints > 0;
}
