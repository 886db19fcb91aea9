import {Box, Text} from 'ink';
import {memo, type ReactElement, type ReactNode} from 'react';
import {measureColumns, toDrawable} from '../text/columns.ts';
import {cutEnd, cutMiddle} from '../text/cut.ts';
import {fitHeader, type HeaderContent, production} from './header-texts.ts';
import {type Marks, useTheme} from './theme.ts';

export type HeaderProps = HeaderContent & {
	/** Colour of the context or account. */
	readonly color?: string | undefined;
	/** Active filter as typed. */
	readonly filter?: string | undefined;
	/** What the filter matches: "3 of 20". */
	readonly counts?: string | undefined;
};

/** Line 1: path on the left, target on the right; line 2: a dividing line with the active filter. */
export const Header = memo((props: HeaderProps): ReactElement => {
	const {color, isProduction = false, filter, counts = '', columns} = props;
	const theme = useTheme();
	const {here, dim} = theme;
	const {place, label, details, quotaText, badges, cutTarget} = fitHeader(props, theme.marks);
	return (
		<Box flexDirection="column" flexShrink={0}>
			<Box justifyContent="space-between" height={1}>
				<Text {...here} wrap="truncate">
					{place}
				</Text>
				<Text wrap="truncate">
					<Text {...(color === undefined || theme.name === 'none' ? dim : {color})}>{label}</Text>
					<Text {...dim}>{details}</Text>
					<Text {...theme.warning}>{quotaText}</Text>
					<Text bold>{badges} </Text>
					{isProduction && <Text {...theme.production}>{` ${production} `}</Text>}
				</Text>
			</Box>
			<Rule target={cutTarget} filter={filter} counts={counts} columns={columns} />
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
function Rule({
	target,
	filter,
	counts,
	columns,
}: {
	readonly target: string | undefined;
	readonly filter: string | undefined;
	readonly counts: string;
	readonly columns: number;
}): ReactElement {
	const {here, dim, marks} = useTheme();
	const shown = counts === '' ? '' : ` ${marks.dot} ${counts}`;
	const named = target === undefined ? '' : cutMiddle(target, getTargetColumns({filter, counts, columns}));
	const gap = named !== '' && filter !== undefined ? ` ${marks.dot} ` : '';
	const room = columns - columnsBeforeFilter - columnsAroundFilter - measureColumns(shown + named + gap);
	const filtered = filter === undefined ? '' : `/${cutEnd(toDrawable(filter), Math.max(1, room))}${shown}`;
	const text = named + gap + filtered;
	if (text === '')
		return (
			<Text {...dim} wrap="truncate">
				{marks.rule.repeat(columns)}
			</Text>
		);
	const left = Math.max(0, columns - columnsBeforeFilter - 1 - measureColumns(text));
	return (
		<Text {...dim} wrap="truncate">
			{marks.rule.repeat(columnsBeforeFilter - 1)} <Text {...here}>{text}</Text> {marks.rule.repeat(left)}
		</Text>
	);
}

/** Returns the columns left for the target in the dividing line, beside the filter. */
function getTargetColumns({
	filter,
	counts,
	columns,
}: Pick<HeaderProps, 'filter' | 'counts' | 'columns'>): number {
	const filtered = filter === undefined ? 0 : measureColumns(counts ?? '') + minFilterColumns;
	return Math.max(1, columns - columnsBeforeFilter - columnsAroundFilter - filtered);
}

/**
 * Returns in full, as drawable text, what the header truncates: the target, and the context or account. Shown
 * before a write.
 */
export function listCutTexts(props: HeaderProps, marks: Marks): readonly string[] {
	const {cutTarget, cutName} = fitHeader(props, marks);
	const isShown = cutTarget === undefined || measureColumns(cutTarget) <= getTargetColumns(props);
	return [isShown ? undefined : cutTarget, cutName].filter(text => text !== undefined);
}

export type Hint = {readonly keys: string; readonly does: string};

/** The last line: as many current keys as fit; the last one always. */
export const Hints = memo(
	({hints, columns}: {readonly hints: readonly Hint[]; readonly columns: number}): ReactElement => {
		const {dim} = useTheme();
		const shown = fitHints(hints, columns - 1);
		return (
			<Text wrap="truncate">
				{shown.map(({keys, does}, index) => (
					<Text key={keys}>
						{index === 0 ? ' ' : '   '}
						<Text bold>{keys}</Text> <Text {...dim}>{does}</Text>
					</Text>
				))}
			</Text>
		);
	},
);

/** Returns the hints that fit side by side; the last one (help) is always kept. */
function fitHints(hints: readonly Hint[], columns: number): readonly Hint[] {
	const measureHint = ({keys, does}: Hint) => measureColumns(keys) + measureColumns(does) + 4;
	const last = hints.at(-1);
	if (!last) return [];
	let room = columns - measureHint(last);
	const shown = hints.slice(0, -1).filter(hint => {
		room -= measureHint(hint);
		return room >= 0;
	});
	return [...shown, last];
}

/** A screen: header, body, one line of status or progress, one line of keys. */
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
			<Box flexShrink={0} height={1}>
				{status}
			</Box>
			<Box flexShrink={0} height={1}>
				{hints}
			</Box>
		</Box>
	);
}
