import {columnsOf, drawable} from '../text/columns.ts';
import {cutEnd, cutMiddle} from '../text/cut.ts';
import type {Marks} from './theme.ts';

/** What the header says. Data as it is. */
export type HeaderContent = {
	/** Where the person is, from the outside in. */
	readonly path: readonly string[];
	/** The part of the path that is written to, a zone or a namespace: it is cut last. */
	readonly target?: string | undefined;
	/** On what: context or account. */
	readonly name?: string | undefined;
	/** What else is said beside the name, the most important first; the last one goes first. */
	readonly aside?: readonly string[];
	/** The modes in capitals. They are never cut. */
	readonly badges: readonly string[];
	readonly isProduction?: boolean | undefined;
	/** How long the quota of the service is used up: "22 s". */
	readonly quota?: string | undefined;
	readonly columns: number;
};

/** The header's first line in pieces, drawable. */
type HeaderTexts = {
	readonly place: string;
	readonly label: string;
	readonly details: string;
	readonly held: string;
	readonly badges: string;
	/** The whole target, if the place has no room for it. */
	readonly cutTarget: string | undefined;
	/** The whole name, if it is cut. */
	readonly cutName: string | undefined;
};

export const production = 'PRODUCTION';

/** Columns that the name keeps beside a long path, and beside a target that needs them. */
const nameColumns = {usual: 16, least: 8};

/**
 * What fits of a header: modes whole, then the target, then as much as there is room for of the name, the wait for the
 * quota, the rest of the path and the details.
 */
export function fitHeader(content: HeaderContent, marks: Marks): HeaderTexts {
	const {path, target, name = '', aside = [], isProduction = false, quota, columns} = content;
	const badges = content.badges
		.map((badge, index) => (index === 0 ? `${marks.badge[0]} ${badge} ${marks.badge[1]}` : badge))
		.join(' ');
	const between = ` ${marks.dot} `;
	const level = ` ${marks.level} `;
	const parts = path.map(drawable);
	const shownTarget = target === undefined || !path.includes(target) ? undefined : drawable(target);
	const whole = columnsOf(parts.join(level)) + 1;
	const needed = shownTarget === undefined ? 0 : columnsOf(shownTarget) + 1;
	const modes = columnsOf(badges) + (isProduction ? production.length + 3 : 0);
	const room = columns - 2 - modes;
	const reserved = Math.max(Math.min(whole, Math.floor((columns - 2) / 2)), Math.min(whole, needed));
	const labelIn = (width: number, least: number) =>
		name === '' ? '' : cutEnd(drawable(name), Math.max(least, width - columnsOf(between))) + between;
	const wait = quota === undefined ? '' : `${marks.wait} quota: ${quota}${between}`;
	const narrow = labelIn(room - needed, nameColumns.least);
	const held = room - columnsOf(narrow) - columnsOf(wait) >= needed ? wait : '';
	const beside = room - columnsOf(held);
	const usual = labelIn(beside - reserved, nameColumns.usual);
	const label =
		beside - columnsOf(usual) >= Math.min(needed, whole)
			? usual
			: labelIn(beside - needed, nameColumns.least);
	const details = fittingAside(aside, beside - reserved - columnsOf(label), between);
	const placeColumns = beside - columnsOf(label) - columnsOf(details);
	const isCut = shownTarget !== undefined && needed > placeColumns;
	return {
		place: ` ${fitPath(parts, shownTarget, placeColumns - 1, level)}`,
		label,
		details,
		held,
		badges,
		cutTarget: isCut ? shownTarget : undefined,
		cutName: label === drawable(name) + between || name === '' ? undefined : drawable(name),
	};
}

/** A path without its first parts, as far as needed, then without what is behind the target; the target is cut last. */
function fitPath(
	parts: readonly string[],
	target: string | undefined,
	columns: number,
	level: string,
): string {
	const at = target === undefined ? 0 : parts.indexOf(target);
	for (let start = 0; start <= at; start++) {
		const text = parts.slice(start).join(level);
		if (columnsOf(text) <= columns) return text;
	}
	if (target === undefined) return cutMiddle(parts.join(level), columns);
	const behind = columns - columnsOf(target) - columnsOf(level);
	return behind >= 4
		? target + level + cutMiddle(parts.slice(at + 1).join(level), behind)
		: cutMiddle(target, columns);
}

/** Details that fit next to the name, most important first. */
function fittingAside(aside: readonly string[], columns: number, between: string): string {
	let text = '';
	for (const one of aside) {
		const longer = `${text}${drawable(one)}${between}`;
		if (columnsOf(longer) > columns) return text;
		text = longer;
	}
	return text;
}
