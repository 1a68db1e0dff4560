// Numbers of the count, spoken by a voice of the device. Others would send the words to a server.
import type { Language } from '../state/settings';

const LOCALES: Record<Language, string> = { en: 'en-US', th: 'th-TH' };

/** The voice of the device for a language; null if there is none. */
export function localVoice(language: Language): SpeechSynthesisVoice | null {
  if (typeof speechSynthesis === 'undefined') {
    return null;
  }
  const fits = speechSynthesis
    .getVoices()
    .filter(({ localService, lang }) => localService && lang.toLowerCase().split(/[-_]/)[0] === language);
  return fits.find((voice) => voice.default) ?? fits[0] ?? null;
}

/** Calls `listen` when the list of voices changes: browsers load it late. Returns how to end that. */
export function onVoices(listen: () => void): () => void {
  if (typeof speechSynthesis === 'undefined' || !speechSynthesis.addEventListener) {
    return () => {};
  }
  speechSynthesis.addEventListener('voiceschanged', listen);
  return () => speechSynthesis.removeEventListener('voiceschanged', listen);
}

/** Speaks a number; without a local voice nothing is said. `volume` from 0 to 1. */
export function speak(number: number, language: Language, volume: number): void {
  const voice = localVoice(language);
  if (!voice) {
    return;
  }
  const words = new SpeechSynthesisUtterance(String(number));
  words.voice = voice;
  words.lang = voice.lang || LOCALES[language];
  words.volume = volume;
  // The number before it has had its time.
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}
