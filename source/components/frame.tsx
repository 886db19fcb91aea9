import {Box, Text} from 'ink';
import {memo, type ReactElement, type ReactNode} from 'react';
import type {Link} from '../terminal/links.ts';
import {measureColumns, toDrawable} from '../text/columns.ts';
import {cutEnd, cutMiddle, sliceColumns} from '../text/cut.ts';
import {fitHeader, type HeaderContent, productionBadge} from './header-texts.ts';
import {type ClickSpan, type ClickTarget, usePointerRegion} from './pointer.ts';
import {drawLink, type Marks, useTheme} from './theme.ts';

export type HeaderProps = HeaderContent & {
	/** Colour of the context or account. */
	readonly color?: string | undefined;
	/** Active filter as typed. */
	readonly filter?: string | undefined;
	/** What the filter matches: "3 of 20". */
	readonly countsText?: string | undefined;
};

/** Line 1: path on the left, target on the right; line 2: a dividing line with the active filter. */
export const Header = memo((props: HeaderProps): ReactElement => {
	const {path, target, targetLink, color, isProduction = false, filter, countsText = '', columns} = props;
	const theme = useTheme();
	const {current, dim} = theme;
	const {pathText, pathSpans, label, details, quotaText, badges, fullTarget} = fitHeader(props, theme.marks);
	const targetSpan = pathSpans.find(({index}) => path[index] === target);
	const {from, to} = targetSpan ?? {from: columns, to: columns};
	const box = usePointerRegion({
		kind: 'spans',
		spans: pathSpans.map(({index, from, to}) => ({from, to, target: {kind: 'path', index}})),
	});
	return (
		<Box flexDirection="column" flexShrink={0}>
			<Box ref={box} justifyContent="space-between" height={1}>
				<Text {...current} wrap="truncate">
					{sliceColumns(pathText, 0, from)}
					{targetSpan && drawLink(theme, sliceColumns(pathText, from, to - from), targetLink)}
					{sliceColumns(pathText, to, columns)}
				</Text>
				<Text wrap="truncate">
					<Text {...(color === undefined || theme.name === 'none' ? dim : {color})}>{label}</Text>
					<Text {...dim}>{details}</Text>
					<Text {...theme.warning}>{quotaText}</Text>
					<Text bold>{badges} </Text>
					{isProduction && <Text {...theme.production}>{` ${productionBadge} `}</Text>}
				</Text>
			</Box>
			<Divider
				target={fullTarget}
				targetLink={targetLink}
				filter={filter}
				countsText={countsText}
				columns={columns}
			/>
		</Box>
	);
});

/** Columns of line and blank before the filter; columns of its slash, the blank and the line after it. */
const columnsBeforeFilter = 3;
const columnsAroundFilter = 3;

/** Columns a filter keeps beside a target, including what surrounds it. */
const minFilterColumns = 15;

/**
 * Draws the line below the header, with the target if the header has no room for it. Cuts the end of a long
 * filter.
 */
function Divider({
	target,
	targetLink,
	filter,
	countsText,
	columns,
}: {
	readonly target: string | undefined;
	readonly targetLink: Link | undefined;
	readonly filter: string | undefined;
	readonly countsText: string;
	readonly columns: number;
}): ReactElement {
	const theme = useTheme();
	const {current, border, marks} = theme;
	const countsPart = countsText === '' ? '' : ` ${marks.dot} ${countsText}`;
	const targetPart =
		target === undefined ? '' : cutMiddle(target, getTargetColumns({filter, countsText, columns}));
	const gap = targetPart !== '' && filter !== undefined ? ` ${marks.dot} ` : '';
	const room =
		columns - columnsBeforeFilter - columnsAroundFilter - measureColumns(countsPart + targetPart + gap);
	const filterPart =
		filter === undefined ? '' : `/${cutEnd(toDrawable(filter), Math.max(1, room))}${countsPart}`;
	const text = targetPart + gap + filterPart;
	if (text === '')
		return (
			<Text {...border} wrap="truncate">
				{marks.line.repeat(columns)}
			</Text>
		);
	const remainingColumns = Math.max(0, columns - columnsBeforeFilter - 1 - measureColumns(text));
	return (
		<Text {...border} wrap="truncate">
			{marks.line.repeat(columnsBeforeFilter - 1)}{' '}
			<Text {...current}>
				{targetPart !== '' && drawLink(theme, targetPart, targetLink)}
				{gap + filterPart}
			</Text>{' '}
			{marks.line.repeat(remainingColumns)}
		</Text>
	);
}

/** Returns the columns left for the target in the dividing line, beside the filter. */
function getTargetColumns({
	filter,
	countsText,
	columns,
}: Pick<HeaderProps, 'filter' | 'countsText' | 'columns'>): number {
	const filterColumns = filter === undefined ? 0 : measureColumns(countsText ?? '') + minFilterColumns;
	return Math.max(1, columns - columnsBeforeFilter - columnsAroundFilter - filterColumns);
}

/**
 * Returns in full, as drawable text, what the header truncates: the target, and the context or account. Shown
 * before a write.
 */
export function listCutTexts(props: HeaderProps, marks: Marks): readonly string[] {
	const {fullTarget, fullName} = fitHeader(props, marks);
	const isTargetShown = fullTarget === undefined || measureColumns(fullTarget) <= getTargetColumns(props);
	return [isTargetShown ? undefined : fullTarget, fullName].filter(text => text !== undefined);
}

/** A key and what it does; `target` is what a click on it means. */
export type Hint = {readonly keys: string; readonly label: string; readonly target: ClickTarget};

/** The last line: as many current keys as fit; the last one always. */
export const Hints = memo(
	({hints, columns}: {readonly hints: readonly Hint[]; readonly columns: number}): ReactElement => {
		const {dim} = useTheme();
		const shown = fitHints(hints, columns - 1);
		const box = usePointerRegion({kind: 'spans', spans: measureHints(shown)});
		return (
			<Box ref={box} width={columns}>
				<Text wrap="truncate">
					{shown.map(({keys, label}, index) => (
						<Text key={keys}>
							{index === 0 ? ' ' : hintGap}
							<Text bold>{keys}</Text> <Text {...dim}>{label}</Text>
						</Text>
					))}
				</Text>
			</Box>
		);
	},
);

const hintGap = '   ';

/** Returns the columns of the hints, after one blank. */
function measureHints(hints: readonly Hint[]): readonly ClickSpan[] {
	let from = 1;
	return hints.map(({keys, label, target}) => {
		const span = {from, to: from + measureColumns(keys) + 1 + measureColumns(label), target};
		from = span.to + hintGap.length;
		return span;
	});
}

/** Returns the hints that fit side by side; the last one (help) is always kept. */
function fitHints(hints: readonly Hint[], columns: number): readonly Hint[] {
	const last = hints.slice(-1);
	let shown = hints.slice(0, -1);
	while (shown.length > 0 && (measureHints([...shown, ...last]).at(-1)?.to ?? 0) > columns)
		shown = shown.slice(0, -1);
	return [...shown, ...last];
}

/**
 * A screen: header, body, one line of status or progress, one line of keys. A long status is drawn over the
 * end of the body or over the keys.
 */
export function Frame({
	header,
	status,
	hints,
	rows,
	children,
}: {
	readonly header: ReactNode;
	readonly status: ReactNode;
	readonly hints: ReactNode;
	readonly rows: number;
	readonly children: ReactNode;
}): ReactElement {
	return (
		<Box flexDirection="column" height={rows}>
			{header}
			<Box flexDirection="column" flexGrow={1} overflow="hidden">
				{children}
			</Box>
			<Box flexDirection="column-reverse" flexShrink={0}>
				<Box flexShrink={0} height={1}>
					{hints}
				</Box>
				<Box flexDirection="column" flexShrink={0} height={1}>
					{status}
				</Box>
			</Box>
		</Box>
	);
}
