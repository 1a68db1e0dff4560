// The evaluation over the game, as a line that can be clicked.
import { t } from '../messages/i18n';
import type { Session } from '../state/session';
import { scoreShare, scoreText } from './scores';

const WIDTH = 600;
const HEIGHT = 120;

export function Graph({ session, onGo }: { session: Session; onGo: (node: number) => void }) {
  const nodes = session.line.map((id) => session.nodeById(id)).filter((node) => node !== undefined);
  const points = nodes.map((node, at) => ({ node, at, y: HEIGHT * (1 - scoreShare(node.evaluation)) }));
  const known = points.filter(({ node }) => node.evaluation !== null);
  if (known.length < 2) {
    return null;
  }
  const x = (at: number) => (at / Math.max(1, nodes.length - 1)) * WIDTH;
  const line = known
    .map(({ at, y }, index) => `${index === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y.toFixed(1)}`)
    .join(' ');
  const area = `${line} L${x(known.at(-1)?.at ?? 0)} ${HEIGHT} L${x(known[0]?.at ?? 0)} ${HEIGHT} Z`;
  const here = points.find(({ node }) => node.id === session.node);
  const go = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const at = Math.round(((event.clientX - box.left) / box.width) * (nodes.length - 1));
    const node = nodes[Math.max(0, Math.min(nodes.length - 1, at))];
    if (node) {
      onGo(node.id);
    }
  };
  const summary = known
    .filter(({ at }) => at % 10 === 0)
    .map(({ node }) => t('analyse.graph.point', { number: node.moveNumber, score: scoreText(node.evaluation) }));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go through the game anyway
    <svg
      class="graph"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${t('analyse.graph')}. ${summary.join('; ')}`}
      onClick={go}
    >
      <rect width={WIDTH} height={HEIGHT} class="graph-black" />
      <path d={area} class="graph-white" />
      <path d={`M0 ${HEIGHT / 2} H${WIDTH}`} class="graph-middle" />
      <path d={line} class="graph-line" vector-effect="non-scaling-stroke" />
      {points.map(({ node, at, y }) => {
        const glyph = node.nags.find((nag) => nag === 2 || nag === 4);
        return glyph ? (
          <ellipse
            key={node.id}
            cx={x(at)}
            cy={y}
            rx="5"
            ry="5"
            class={`graph-glyph-${glyph}`}
            vector-effect="non-scaling-stroke"
          />
        ) : null;
      })}
      {here && <path d={`M${x(here.at)} 0 V${HEIGHT}`} class="graph-here" vector-effect="non-scaling-stroke" />}
    </svg>
  );
}
