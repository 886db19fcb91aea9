import {Box, Text} from 'ink';
import {memo, type ReactElement, type ReactNode} from 'react';
import {columnsOf, drawable} from '../text/columns.ts';
import {cutEnd, cutMiddle} from '../text/cut.ts';
import {useTheme} from './theme.ts';

type HeaderProps = {
	/** Where the person is, from the outside in; data as it is. */
	readonly path: readonly string[];
	/** On what: the account, and the modes in capitals. */
	readonly account?: string | undefined;
	readonly badges: readonly string[];
	readonly columns: number;
};

/** Line 1: where am I on the left, on what on the right; line 2: a rule. */
export const Header = memo(({path, account, badges, columns}: HeaderProps): ReactElement => {
	const {here, dim, marks} = useTheme();
	const shown = badges.map((badge, index) =>
		index === 0 ? `${marks.badge[0]} ${badge} ${marks.badge[1]}` : badge,
	);
	const right = shown.join(' ');
	const between = ` ${marks.dot} `;
	const room = columns - 2;
	const left = ` ${path.map(drawable).join(` ${marks.level} `)}`;
	const forAccount =
		room - columnsOf(right) - columnsOf(between) - Math.min(columnsOf(left), Math.floor(room / 2));
	const label = account && forAccount > 4 ? cutEnd(drawable(account), forAccount) + between : '';
	const place = cutMiddle(left, room - columnsOf(label) - columnsOf(right));
	return (
		<Box flexDirection="column" flexShrink={0}>
			<Box justifyContent="space-between" height={1}>
				<Text {...here} wrap="truncate">
					{place}
				</Text>
				<Text wrap="truncate">
					<Text {...dim}>{label}</Text>
					<Text bold>{right} </Text>
				</Text>
			</Box>
			<Text {...dim} wrap="truncate">
				{marks.rule.repeat(columns)}
			</Text>
		</Box>
	);
});

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
