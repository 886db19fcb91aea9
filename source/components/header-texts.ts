import type {Link} from '../terminal/links.ts';
import {measureColumns, toDrawable} from '../text/columns.ts';
import {cutEnd, cutMiddle} from '../text/cut.ts';
import type {Marks} from './theme.ts';

/** Content of the header. Unescaped data. */
export type HeaderContent = {
	/** The breadcrumb, outermost first. */
	readonly path: readonly string[];
	/** Part of the path that is written to, a zone or namespace: cut last. */
	readonly target?: string | undefined;
	/** What the target opens, unless it is cut in the header. */
	readonly targetLink?: Link | undefined;
	/** Context or account. */
	readonly name?: string | undefined;
	/** Details beside the name, the most important first; the last one is dropped first. */
	readonly sideDetails?: readonly string[];
	/** Modes in capitals, never cut. */
	readonly badges: readonly string[];
	readonly isProduction?: boolean | undefined;
	/** How long the quota is used up: "22 s". */
	readonly quotaWait?: string | undefined;
	readonly columns: number;
};

/** Parts of the header's first line, drawable. */
type HeaderTexts = {
	readonly pathText: string;
	/** Columns of the parts of the path that are shown in full; `to` exclusive. */
	readonly pathSpans: readonly PathSpan[];
	readonly label: string;
	readonly details: string;
	readonly quotaText: string;
	readonly badges: string;
	/** The whole target, if it is cut in `pathText`. */
	readonly fullTarget: string | undefined;
	/** The whole name, if it is cut. */
	readonly fullName: string | undefined;
};

/** `index` is that of the part in the path. */
type PathSpan = {readonly index: number; readonly from: number; readonly to: number};

export const productionBadge = 'PRODUCTION';

/** Columns the name keeps beside a long path, and beside a long target. */
const nameColumns = {preferred: 16, minimum: 8};

/**
 * Fits the header into its columns. In order of precedence: badges, target, name, quota wait, the rest of the
 * path, details.
 */
export function fitHeader(content: HeaderContent, marks: Marks): HeaderTexts {
	const {path, target, name = '', sideDetails = [], isProduction = false, quotaWait, columns} = content;
	const badges = content.badges
		.map((badge, index) => (index === 0 ? `${marks.badge[0]} ${badge} ${marks.badge[1]}` : badge))
		.join(' ');
	const separator = ` ${marks.dot} `;
	const levelSeparator = ` ${marks.level} `;
	const parts = path.map(toDrawable);
	const targetText = target === undefined || !path.includes(target) ? undefined : toDrawable(target);
	const pathColumns = measureColumns(parts.join(levelSeparator)) + 1;
	const targetColumns = targetText === undefined ? 0 : measureColumns(targetText) + 1;
	const badgeColumns = measureColumns(badges) + (isProduction ? productionBadge.length + 3 : 0);
	const availableColumns = columns - 2 - badgeColumns;
	const reservedColumns = Math.max(
		Math.min(pathColumns, Math.floor((columns - 2) / 2)),
		Math.min(pathColumns, targetColumns),
	);
	const formatLabel = (width: number, minimum: number) =>
		name === ''
			? ''
			: cutEnd(toDrawable(name), Math.max(minimum, width - measureColumns(separator))) + separator;
	const fullQuotaText = quotaWait === undefined ? '' : `${marks.wait} quota: ${quotaWait}${separator}`;
	const narrowLabel = formatLabel(availableColumns - targetColumns, nameColumns.minimum);
	const quotaText =
		availableColumns - measureColumns(narrowLabel) - measureColumns(fullQuotaText) >= targetColumns
			? fullQuotaText
			: '';
	const remainingColumns = availableColumns - measureColumns(quotaText);
	const preferredLabel = formatLabel(remainingColumns - reservedColumns, nameColumns.preferred);
	const label =
		remainingColumns - measureColumns(preferredLabel) >= Math.min(targetColumns, pathColumns)
			? preferredLabel
			: formatLabel(remainingColumns - targetColumns, nameColumns.minimum);
	const details = fitDetails(
		sideDetails,
		remainingColumns - reservedColumns - measureColumns(label),
		separator,
	);
	const placeColumns = remainingColumns - measureColumns(label) - measureColumns(details);
	const isTargetCut = targetText !== undefined && targetColumns > placeColumns;
	const fittedPath = fitPath(parts, targetText, placeColumns - 1, levelSeparator);
	return {
		pathText: ` ${fittedPath.text}`,
		pathSpans: measureParts(parts, fittedPath.firstPart, fittedPath.endPart, measureColumns(levelSeparator)),
		label,
		details,
		quotaText,
		badges,
		fullTarget: isTargetCut ? targetText : undefined,
		fullName: label === toDrawable(name) + separator || name === '' ? undefined : toDrawable(name),
	};
}

/** Returns the columns of the parts from `firstPart` to `endPart` (exclusive), after one blank. */
function measureParts(
	parts: readonly string[],
	firstPart: number,
	endPart: number,
	separatorColumns: number,
): readonly PathSpan[] {
	let from = 1;
	return parts.slice(firstPart, endPart).map((part, offset) => {
		const span = {index: firstPart + offset, from, to: from + measureColumns(part)};
		from = span.to + separatorColumns;
		return span;
	});
}

/** A path that fits, and which of its parts are whole: from `firstPart` to `endPart`, exclusive. */
type FittedPath = {readonly text: string; readonly firstPart: number; readonly endPart: number};

/** Shortens a path: drops its first parts, then cuts what follows the target, and the target last. */
function fitPath(
	parts: readonly string[],
	target: string | undefined,
	columns: number,
	levelSeparator: string,
): FittedPath {
	const targetIndex = target === undefined ? 0 : parts.indexOf(target);
	for (let start = 0; start <= targetIndex; start++) {
		const text = parts.slice(start).join(levelSeparator);
		if (measureColumns(text) <= columns) return {text, firstPart: start, endPart: parts.length};
	}
	const cutPath = (text: string): FittedPath => ({text: cutMiddle(text, columns), firstPart: 0, endPart: 0});
	if (target === undefined) return cutPath(parts.join(levelSeparator));
	const columnsAfterTarget = columns - measureColumns(target) - measureColumns(levelSeparator);
	if (columnsAfterTarget < 4) return cutPath(target);
	const rest = cutMiddle(parts.slice(targetIndex + 1).join(levelSeparator), columnsAfterTarget);
	return {text: target + levelSeparator + rest, firstPart: targetIndex, endPart: targetIndex + 1};
}

/** Joins the details that fit next to the name, most important first. */
function fitDetails(sideDetails: readonly string[], columns: number, separator: string): string {
	let text = '';
	for (const detail of sideDetails) {
		const longer = `${text}${toDrawable(detail)}${separator}`;
		if (measureColumns(longer) > columns) return text;
		text = longer;
	}
	return text;
}
