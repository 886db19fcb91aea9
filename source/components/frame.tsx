import {Box, Text} from 'ink';
import {memo, type ReactElement, type ReactNode} from 'react';
import {columnsOf, drawable} from '../text/columns.ts';
import {cutEnd, cutMiddle} from '../text/cut.ts';
import {fitHeader, type HeaderContent, production} from './header-texts.ts';
import {type Marks, useTheme} from './theme.ts';

export type HeaderProps = HeaderContent & {
	/** The colour of the name. */
	readonly color?: string | undefined;
	/** What the screen is narrowed by, as it was typed, and what that shows. */
	readonly filter?: string | undefined;
	readonly counts?: string | undefined;
};

/** Line 1: where am I on the left, on what on the right; line 2: a rule, with the filter that is set. */
export const Header = memo((props: HeaderProps): ReactElement => {
	const {color, isProduction = false, filter, counts = '', columns} = props;
	const theme = useTheme();
	const {here, dim} = theme;
	const {place, label, details, held, badges, cutTarget} = fitHeader(props, theme.marks);
	return (
		<Box flexDirection="column" flexShrink={0}>
			<Box justifyContent="space-between" height={1}>
				<Text {...here} wrap="truncate">
					{place}
				</Text>
				<Text wrap="truncate">
					<Text {...(color === undefined || theme.name === 'none' ? dim : {color})}>{label}</Text>
					<Text {...dim}>{details}</Text>
					<Text {...theme.warning}>{held}</Text>
					<Text bold>{badges} </Text>
					{isProduction && <Text {...theme.production}>{` ${production} `}</Text>}
				</Text>
			</Box>
			<Rule target={cutTarget} filter={filter} counts={counts} columns={columns} />
		</Box>
	);
});

/** Columns of the rule before the filter, and around it. */
const beforeFilter = 3;
const aroundFilter = 3;

/** Columns that a filter keeps beside a target, with what is around it. */
const leastFilter = 15;

/** The line below the header, with the target if the header has no room for it. Cuts the end of a long filter. */
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
	const named = target === undefined ? '' : cutMiddle(target, targetRoom({filter, counts, columns}));
	const gap = named !== '' && filter !== undefined ? ` ${marks.dot} ` : '';
	const room = columns - beforeFilter - aroundFilter - columnsOf(shown + named + gap);
	const filtered = filter === undefined ? '' : `/${cutEnd(drawable(filter), Math.max(1, room))}${shown}`;
	const text = named + gap + filtered;
	if (text === '')
		return (
			<Text {...dim} wrap="truncate">
				{marks.rule.repeat(columns)}
			</Text>
		);
	const left = Math.max(0, columns - beforeFilter - 1 - columnsOf(text));
	return (
		<Text {...dim} wrap="truncate">
			{marks.rule.repeat(beforeFilter - 1)} <Text {...here}>{text}</Text> {marks.rule.repeat(left)}
		</Text>
	);
}

/** Columns that the target can have in the rule: those that a filter, with some of its text, does not need. */
function targetRoom({filter, counts, columns}: Pick<HeaderProps, 'filter' | 'counts' | 'columns'>): number {
	const filtered = filter === undefined ? 0 : columnsOf(counts ?? '') + leastFilter;
	return Math.max(1, columns - beforeFilter - aroundFilter - filtered);
}

/** What the header cuts of where a write goes: the target, the context or account. Drawable; empty if it shows both. */
export function cutInHeader(props: HeaderProps, marks: Marks): readonly string[] {
	const {cutTarget, cutName} = fitHeader(props, marks);
	const isShown = cutTarget === undefined || columnsOf(cutTarget) <= targetRoom(props);
	return [isShown ? undefined : cutTarget, cutName].filter(text => text !== undefined);
}

export type Hint = {readonly keys: string; readonly does: string};

/** The last line: the keys that work now, as many as there is room for; the last one always. */
export const Hints = memo(
	({hints, columns}: {readonly hints: readonly Hint[]; readonly columns: number}): ReactElement => {
		const {dim} = useTheme();
		const shown = fitting(hints, columns - 1);
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

/** The hints that fit side by side; where not all do, the last one (help) keeps its place. */
function fitting(hints: readonly Hint[], columns: number): readonly Hint[] {
	const width = ({keys, does}: Hint) => columnsOf(keys) + columnsOf(does) + 4;
	const last = hints.at(-1);
	if (!last) return [];
	let room = columns - width(last);
	const shown = hints.slice(0, -1).filter(hint => {
		room -= width(hint);
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
