import {measureColumns, toDrawable} from '../text/columns.ts';
import {cutEnd, cutMiddle} from '../text/cut.ts';
import type {Marks} from './theme.ts';

/** Content of the header. Unescaped data. */
export type HeaderContent = {
	/** The breadcrumb, outermost first. */
	readonly path: readonly string[];
	/** Part of the path that is written to, a zone or namespace: cut last. */
	readonly target?: string | undefined;
	/** Context or account. */
	readonly name?: string | undefined;
	/** Details beside the name, the most important first; the last one is dropped first. */
	readonly aside?: readonly string[];
	/** Modes in capitals, never cut. */
	readonly badges: readonly string[];
	readonly isProduction?: boolean | undefined;
	/** How long the quota is used up: "22 s". */
	readonly quota?: string | undefined;
	readonly columns: number;
};

/** Parts of the header's first line, drawable. */
type HeaderTexts = {
	readonly place: string;
	readonly label: string;
	readonly details: string;
	readonly quotaText: string;
	readonly badges: string;
	/** The whole target, if it is cut in `pathText`. */
	readonly cutTarget: string | undefined;
	/** The whole name, if it is cut. */
	readonly cutName: string | undefined;
};

export const production = 'PRODUCTION';

/** Columns the name keeps beside a long path, and beside a long target. */
const nameColumns = {preferred: 16, minimum: 8};

/**
 * Fits the header into its columns. In order of precedence: badges, target, name, quota wait, the rest of the
 * path, details.
 */
export function fitHeader(content: HeaderContent, marks: Marks): HeaderTexts {
	const {path, target, name = '', aside = [], isProduction = false, quota, columns} = content;
	const badges = content.badges
		.map((badge, index) => (index === 0 ? `${marks.badge[0]} ${badge} ${marks.badge[1]}` : badge))
		.join(' ');
	const between = ` ${marks.dot} `;
	const level = ` ${marks.level} `;
	const parts = path.map(toDrawable);
	const targetText = target === undefined || !path.includes(target) ? undefined : toDrawable(target);
	const whole = measureColumns(parts.join(level)) + 1;
	const targetColumns = targetText === undefined ? 0 : measureColumns(targetText) + 1;
	const modes = measureColumns(badges) + (isProduction ? production.length + 3 : 0);
	const room = columns - 2 - modes;
	const reserved = Math.max(Math.min(whole, Math.floor((columns - 2) / 2)), Math.min(whole, targetColumns));
	const formatLabel = (width: number, minimum: number) =>
		name === '' ? '' : cutEnd(toDrawable(name), Math.max(minimum, width - measureColumns(between))) + between;
	const wait = quota === undefined ? '' : `${marks.wait} quota: ${quota}${between}`;
	const narrowLabel = formatLabel(room - targetColumns, nameColumns.minimum);
	const quotaText = room - measureColumns(narrowLabel) - measureColumns(wait) >= targetColumns ? wait : '';
	const remaining = room - measureColumns(quotaText);
	const usualLabel = formatLabel(remaining - reserved, nameColumns.preferred);
	const label =
		remaining - measureColumns(usualLabel) >= Math.min(targetColumns, whole)
			? usualLabel
			: formatLabel(remaining - targetColumns, nameColumns.minimum);
	const details = fitDetails(aside, remaining - reserved - measureColumns(label), between);
	const placeColumns = remaining - measureColumns(label) - measureColumns(details);
	const isCut = targetText !== undefined && targetColumns > placeColumns;
	return {
		place: ` ${fitPath(parts, targetText, placeColumns - 1, level)}`,
		label,
		details,
		quotaText,
		badges,
		cutTarget: isCut ? targetText : undefined,
		cutName: label === toDrawable(name) + between || name === '' ? undefined : toDrawable(name),
	};
}

/** Shortens a path: drops its first parts, then cuts what follows the target, and the target last. */
function fitPath(
	parts: readonly string[],
	target: string | undefined,
	columns: number,
	level: string,
): string {
	const at = target === undefined ? 0 : parts.indexOf(target);
	for (let start = 0; start <= at; start++) {
		const text = parts.slice(start).join(level);
		if (measureColumns(text) <= columns) return text;
	}
	if (target === undefined) return cutMiddle(parts.join(level), columns);
	const behind = columns - measureColumns(target) - measureColumns(level);
	return behind >= 4
		? target + level + cutMiddle(parts.slice(at + 1).join(level), behind)
		: cutMiddle(target, columns);
}

/** Joins the details that fit next to the name, most important first. */
function fitDetails(aside: readonly string[], columns: number, between: string): string {
	let text = '';
	for (const one of aside) {
		const longer = `${text}${toDrawable(one)}${between}`;
		if (measureColumns(longer) > columns) return text;
		text = longer;
	}
	return text;
}
