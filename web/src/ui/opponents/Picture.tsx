// The opponents' faces, drawn on 48 units.
import type { JSX } from 'preact';
import type { AnimalName } from '../../state/opponents';

const INK = 'black';

/** Two eyes, each with its centre. */
function Eyes({ at, y, size = 2.4 }: { at: [number, number]; y: number; size?: number }) {
  return (
    <g fill={INK}>
      {at.map((x) => (
        <circle key={x} cx={x} cy={y} r={size} />
      ))}
    </g>
  );
}

const line = { fill: 'none', stroke: INK, 'stroke-width': 2, 'stroke-linecap': 'round' } as const;

const FACES: Record<AnimalName, JSX.Element> = {
  Snail: (
    <>
      <path d="M6 37 Q8 29 18 31 L33 31 Q37 30 36 20 L42 20 Q45 36 36 38 L8 38 Z" fill="burlywood" />
      <circle cx="21" cy="25" r="11" fill="sienna" />
      <path d="M21 25 m0 0 a3 3 0 0 1 5 1 a6 6 0 0 1 -11 1 a7 7 0 0 1 13 -5" {...line} stroke="wheat" />
      <path d="M37 20 V11 M41 20 L44 12" {...line} stroke="peru" />
      <Eyes at={[37, 44]} y={11} size={2} />
    </>
  ),
  Chick: (
    <>
      <circle cx="24" cy="26" r="15" fill="gold" />
      <path d="M22 12 Q24 5 27 11" {...line} stroke="goldenrod" />
      <path d="M20 28 L28 28 L24 34 Z" fill="chocolate" />
      <Eyes at={[18, 30]} y={23} />
    </>
  ),
  Frog: (
    <>
      <path d="M5 22 A19 15 0 0 1 43 22 Z" fill="saddlebrown" />
      <circle cx="15" cy="24" r="7" fill="yellowgreen" />
      <circle cx="33" cy="24" r="7" fill="yellowgreen" />
      <ellipse cx="24" cy="33" rx="18" ry="11" fill="yellowgreen" />
      <path d="M13 35 Q24 42 35 35" {...line} />
      <Eyes at={[15, 33]} y={24} size={3} />
    </>
  ),
  Buffalo: (
    <>
      <path d="M15 18 Q2 18 4 6 Q9 14 18 13 Z M33 18 Q46 18 44 6 Q39 14 30 13 Z" fill="gray" />
      <path d="M13 15 H35 L32 36 Q24 44 16 36 Z" fill="dimgray" />
      <ellipse cx="24" cy="36" rx="9" ry="6" fill="tan" />
      <Eyes at={[20, 28]} y={36} size={1.6} />
      <g fill="oldlace">
        <circle cx="18" cy="23" r="2.6" />
        <circle cx="30" cy="23" r="2.6" />
      </g>
      <Eyes at={[18, 30]} y={23} size={1.5} />
    </>
  ),
  Monkey: (
    <>
      <circle cx="8" cy="24" r="6" fill="peru" />
      <circle cx="40" cy="24" r="6" fill="peru" />
      <circle cx="24" cy="23" r="16" fill="saddlebrown" />
      <path d="M24 19 A7 7 0 0 1 36 22 Q38 38 24 38 Q10 38 12 22 A7 7 0 0 1 24 19" fill="burlywood" />
      <path d="M17 31 Q24 36 31 31" {...line} />
      <Eyes at={[18, 30]} y={23} />
    </>
  ),
  Crocodile: (
    <>
      <circle cx="12" cy="17" r="5.5" fill="olivedrab" />
      <circle cx="24" cy="17" r="5.5" fill="olivedrab" />
      <path d="M6 20 H30 L45 25 V35 Q45 38 41 38 H10 Q4 38 5 28 Z" fill="olivedrab" />
      <path d="M14 31 L18 35 L22 31 L26 35 L30 31 L34 35 L38 31 L42 35" {...line} stroke="oldlace" />
      <Eyes at={[12, 24]} y={17} />
      <Eyes at={[41, 41]} y={26} size={1.2} />
    </>
  ),
  Elephant: (
    <>
      <ellipse cx="9" cy="22" rx="8" ry="11" fill="darkgray" />
      <ellipse cx="39" cy="22" rx="8" ry="11" fill="darkgray" />
      <path
        d="M12 20 A12 13 0 0 1 36 20 Q36 30 28 31 V39 Q28 44 23 43 Q20 42 20 37 V31 Q12 30 12 20"
        fill="lightslategray"
      />
      <path d="M17 32 Q15 38 11 39 M31 32 Q33 38 37 39" {...line} stroke="ivory" stroke-width={3} />
      <Eyes at={[18, 30]} y={22} />
    </>
  ),
  Tiger: (
    <>
      <circle cx="11" cy="12" r="6" fill="chocolate" />
      <circle cx="37" cy="12" r="6" fill="chocolate" />
      <circle cx="24" cy="25" r="17" fill="darkorange" />
      <path d="M24 9 V16 M18 10 L20 15 M30 10 L28 15 M8 24 H14 M34 24 H40 M9 30 L14 29 M39 30 L34 29" {...line} />
      <ellipse cx="24" cy="33" rx="9" ry="6.5" fill="papayawhip" />
      <path d="M21 29 H27 L24 32 Z" fill={INK} />
      <path d="M24 32 V35 M19 35 Q22 38 24 35 Q26 38 29 35" {...line} />
      <Eyes at={[18, 30]} y={22} />
    </>
  ),
  Naga: (
    <>
      <path d="M24 2 L30 13 H18 Z M14 6 L20 15 L12 17 Z M34 6 L28 15 L36 17 Z" fill="goldenrod" />
      <path d="M10 20 Q24 8 38 20 L34 36 Q24 46 14 36 Z" fill="seagreen" />
      <path d="M10 20 Q4 28 9 36 L14 33 Z M38 20 Q44 28 39 36 L34 33 Z" fill="goldenrod" />
      <path d="M18 35 H30 M24 35 V41 M24 41 L21 45 M24 41 L27 45" {...line} stroke="firebrick" />
      <Eyes at={[18, 30]} y={24} size={2.6} />
    </>
  ),
  Garuda: (
    <>
      <path d="M1 18 Q9 20 13 30 L11 40 Q2 34 1 18 M47 18 Q39 20 35 30 L37 40 Q46 34 47 18" fill="firebrick" />
      <path d="M24 1 L28 9 L33 6 L32 14 H16 L15 6 L20 9 Z" fill="goldenrod" />
      <path d="M12 24 A12 12 0 0 1 36 24 Q36 40 24 43 Q12 40 12 24" fill="indianred" />
      <path d="M19 27 H29 L24 38 Z" fill="gold" />
      <path d="M15 20 L21 22 M33 20 L27 22" {...line} />
      <Eyes at={[19, 29]} y={25} />
    </>
  ),
};

export function Picture({ name }: { name: AnimalName }) {
  return (
    <svg viewBox="0 0 48 48" aria-hidden="true">
      {FACES[name]}
    </svg>
  );
}
