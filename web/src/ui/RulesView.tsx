// The rules on one page, with small boards on which the pieces move.
import { useMemo, useReducer } from 'preact/hooks';
import { facts, router } from '../app';
import { type MessageKey, t } from '../messages/i18n';
import { EXERCISE_RULES } from '../state/playout';
import { Session } from '../state/session';
import { settings } from '../state/settings';
import { useStores } from '../state/store';
import { Button } from './common';
import { countSentences, factSentences } from './countWords';
import { GameBoard } from './GameBoard';
import { rulesetChoices } from './RulesForm';

interface Chapter {
  key: 'aim' | 'khun' | 'met' | 'khon' | 'maa' | 'rua' | 'bia' | 'count' | 'pieces' | 'lastBia';
  fen: string;
  /** Whether the count is shown below the board. */
  count?: boolean;
}

/** Positions in which the piece of the chapter has something to do. Black's khun stands aside. */
const CHAPTERS: Chapter[] = [
  { key: 'aim', fen: 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1' },
  { key: 'khun', fen: '7k/8/p6p/8/3K4/2p5/P6P/8 w - - 0 1' },
  { key: 'met', fen: '7k/8/p6p/4p3/3M4/8/P6P/K7 w - - 0 1' },
  { key: 'khon', fen: '7k/8/p6p/4p3/3S4/8/P6P/K7 w - - 0 1' },
  { key: 'maa', fen: '7k/8/p1p4p/5p2/3N4/8/P6P/K7 w - - 0 1' },
  { key: 'rua', fen: '7k/3p4/p6p/8/1p1R4/8/P6P/K7 w - - 0 1' },
  { key: 'bia', fen: '7k/8/p6p/2mP4/3P1p2/4P3/7P/K7 w - - 0 1' },
  { key: 'count', fen: '2k5/2n5/8/1m2P3/4S3/3K4/8/6R1 w - - 0 40', count: true },
  { key: 'pieces', fen: '7k/8/5K2/8/8/5N2/1m6/1R2R3 w - - 0 60', count: true },
  { key: 'lastBia', fen: 'k7/8/8/8/1p4m1/7S/3K4/1R6 w - - 0 60', count: true },
];

export function RulesView() {
  useStores(settings, facts);
  return (
    <div class="page rules">
      <h1>{t('learn.rules')}</h1>
      <p>{t('learn.rules.lead')}</p>
      <div class="chapters">
        {CHAPTERS.map((chapter) => (
          <ChapterView key={chapter.key} chapter={chapter} />
        ))}
      </div>
      <section class="panel">
        <h2>{t('rules.ruleset')}</h2>
        <p>{t('r.more')}</p>
        <ul class="rulesets">
          {rulesetChoices().map(({ value, label }) => (
            <li key={value}>{label}</li>
          ))}
        </ul>
      </section>
      <Button label={t('learn.exercises')} icon="forward" primary onClick={() => router.go('learn')} />
    </div>
  );
}

function ChapterView({ chapter }: { chapter: Chapter }) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const session = useMemo(() => Session.start(EXERCISE_RULES, chapter.fen), [chapter.fen]);
  const title = t(`r.${chapter.key}.title` as MessageKey);
  const { view } = session;
  const sentences = chapter.count ? [...countSentences(view), ...factSentences(view, facts.of(session))] : [];
  return (
    <article class="panel chapter">
      <GameBoard
        session={session}
        flipped={false}
        movable={view.turn}
        onMove={(move) => {
          session.play(move.uci);
          redraw(0);
        }}
        small
        label={title}
      />
      <div>
        <h2>{title}</h2>
        <p>{t(`r.${chapter.key}` as MessageKey)}</p>
        {sentences.map(({ text, mood }) => (
          <p key={text} class={`mood-${mood} live`}>
            {text}
          </p>
        ))}
        {session.node !== 0 && (
          <Button
            label={t('r.reset')}
            icon="undo"
            onClick={() => {
              session.go(0);
              session.edit((record) => record.deleteFrom(0));
              redraw(0);
            }}
          />
        )}
      </div>
    </article>
  );
}
