// The opponents of the engine, the record against each, and the person's rating from games against them.
import { type Rating, rated, START } from './rating';
import { Store } from './store';
import { load, type Stored, save } from './stored';

export interface Animal {
  /** The name of the engine's opponent. */
  name: string;
  /** Its rating and half of the 95% interval, as `engine/src/opponents.rs` has them. */
  rating: number;
  error: number;
}

export const ANIMALS = [
  { name: 'Snail', rating: 625, error: 47 },
  { name: 'Chick', rating: 800, error: 48 },
  { name: 'Frog', rating: 1105, error: 50 },
  { name: 'Buffalo', rating: 1300, error: 48 },
  { name: 'Monkey', rating: 1565, error: 53 },
  { name: 'Crocodile', rating: 1780, error: 54 },
  { name: 'Elephant', rating: 2145, error: 59 },
  { name: 'Tiger', rating: 2325, error: 58 },
  { name: 'Naga', rating: 2925, error: 142 },
  { name: 'Garuda', rating: 3475, error: 203 },
] as const satisfies Animal[];

export type AnimalName = (typeof ANIMALS)[number]['name'];

/** Least deviation of an opponent for the person's rating: people find some animals easier than others. */
const LEAST_DEVIATION = 50;
/** Standard deviations in half of a 95% interval. */
const DEVIATIONS = 1.96;
/** Finished games that are remembered one by one. */
const REMEMBERED = 200;

export type Score = 0 | 0.5 | 1;

/** A finished game, from the person's side. */
export interface OpponentGame {
  /** The name of the entry among the kept games. */
  id: string;
  name: string;
  score: Score;
  isRated: boolean;
}

export interface Tally {
  won: number;
  drawn: number;
  lost: number;
}

const NO_GAMES: Tally = { won: 0, drawn: 0, lost: 0 };

export function animalNamed(name: string): Animal | undefined {
  return ANIMALS.find((animal) => animal.name === name);
}

/** The opponent as a Glicko-2 player. */
function playerOf({ rating, error }: Animal): { rating: number; deviation: number } {
  return { rating, deviation: Math.max(LEAST_DEVIATION, error / DEVIATIONS) };
}

export class OpponentsStore extends Store {
  private get data(): Stored<'opponents'> {
    // Another tab may have added a game.
    return load('opponents') ?? {};
  }

  /** The person's rating; null before the first rated game. */
  get rating(): Rating | null {
    return this.data.rating ?? null;
  }

  /** Wins, draws and losses of the person. */
  tally(name: string): Tally {
    return { ...NO_GAMES, ...this.data.tallies?.[name] };
  }

  /** The opponent against whom the expected score is nearest to one half. */
  get next(): AnimalName {
    const own = this.rating ?? START;
    const distance = (animal: Animal) => Math.abs(own.rating - animal.rating);
    return ANIMALS.reduce((best, animal) => (distance(animal) < distance(best) ? animal : best)).name as AnimalName;
  }

  /** How the person's rating changed by a game; null if it was not rated. */
  change(id: string): { before: number; after: number } | null {
    const game = this.data.games?.find((one) => one.id === id);
    return game?.change ? { before: game.change[0], after: game.change[1] } : null;
  }

  /** A game has ended. The same game counts once. */
  note({ id, name, score, isRated }: OpponentGame): void {
    const { data } = this;
    const animal = animalNamed(name);
    const games = data.games ?? [];
    if (!animal || games.some((game) => game.id === id)) {
      return;
    }
    const tally = this.tally(name);
    const [part, number] =
      score === 1
        ? (['won', tally.won] as const)
        : score === 0
          ? (['lost', tally.lost] as const)
          : (['drawn', tally.drawn] as const);
    const before = data.rating ?? START;
    const after = isRated ? rated(before, [{ ...playerOf(animal), score }]) : null;
    const change: [number, number] | null = after && [Math.round(before.rating), Math.round(after.rating)];
    save('opponents', {
      ...data,
      ...(after && { rating: after }),
      tallies: { ...data.tallies, [name]: { ...tally, [part]: number + 1 } },
      games: [...games, { id, name, score, change }].slice(-REMEMBERED),
    } satisfies Stored<'opponents'>);
    this.changed();
  }
}

export const opponents = new OpponentsStore();
