import type {Marks} from '../../components/theme.ts';

/** Formats a key for the last line and the help: `⏎`, `↑`, `ctrl-k`. */
export function formatKeyName(name: string, marks: Pick<Marks, 'enter' | 'upDown'>): string {
	if (name === 'enter') return marks.enter;
	const arrows = marks.upDown === '↑↓' ? arrowSigns : {};
	return arrows[name] ?? name;
}

const arrowSigns: Readonly<Record<string, string>> = {up: '↑', down: '↓', left: '←', right: '→'};
