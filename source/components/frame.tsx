import {Box, Text} from 'ink';
import {memo, type ReactElement, type ReactNode} from 'react';
import {columnsOf, drawable} from '../text/columns.ts';
import {cutEnd, cutMiddle} from '../text/cut.ts';
import {useTheme} from './theme.ts';

type HeaderProps = {
	/** Where the person is, from the outside in; data as it is. */
	readonly path: readonly string[];
	/** On what: context or account, and the colour of its name. It is shown always, and cut where nothing else is left to go. */
	readonly name?: string | undefined;
	readonly color?: string | undefined;
	/** What else is said beside the name, the most important first; the last one goes first. */
	readonly aside?: readonly string[];
	/** The modes in capitals. */
	readonly badges: readonly string[];
	readonly isProduction?: boolean;
	/** How long the quota of the service is used up: "22 s". */
	readonly quota?: string | undefined;
	/** What the screen is narrowed by, as it was typed, and what that shows. */
	readonly filter?: string | undefined;
	readonly counts?: string | undefined;
	readonly columns: number;
};

/** Columns that a name keeps beside a long path. */
const leastName = 16;

const production = 'PRODUCTION';

/** Line 1: where am I on the left, on what on the right; line 2: a rule, with the filter that is set. */
export const Header = memo((props: HeaderProps): ReactElement => {
	const {
		path,
		name = '',
		color,
		aside = [],
		badges,
		isProduction = false,
		quota,
		filter,
		counts = '',
		columns,
	} = props;
	const theme = useTheme();
	const {here, dim, marks} = theme;
	const shown = badges.map((badge, index) =>
		index === 0 ? `${marks.badge[0]} ${badge} ${marks.badge[1]}` : badge,
	);
	const right = shown.join(' ');
	const between = ` ${marks.dot} `;
	const held = quota === undefined ? '' : `${marks.wait} quota: ${quota}${between}`;
	const room = columns - 2;
	const left = ` ${path.map(drawable).join(` ${marks.level} `)}`;
	const modes = columnsOf(right) + columnsOf(held) + (isProduction ? production.length + 3 : 0);
	const free = room - modes - Math.min(columnsOf(left), Math.floor(room / 2));
	const forName = Math.max(leastName, free - columnsOf(between));
	const label = name === '' ? '' : cutEnd(drawable(name), forName) + between;
	const details = fittingAside(aside, free - columnsOf(label), between);
	const place = cutMiddle(left, Math.max(0, room - columnsOf(label) - columnsOf(details) - modes));
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
					<Text bold>{right} </Text>
					{isProduction && <Text {...theme.production}>{` ${production} `}</Text>}
				</Text>
			</Box>
			<Rule filter={filter} counts={counts} columns={columns} />
		</Box>
	);
});

/** Columns of the rule before the filter, and around it. */
const beforeFilter = 3;
const aroundFilter = 3;

/** The rule below the header; of a long filter the end is cut, and what it shows never. */
function Rule({
	filter,
	counts,
	columns,
}: {
	readonly filter: string | undefined;
	readonly counts: string;
	readonly columns: number;
}): ReactElement {
	const {here, dim, marks} = useTheme();
	if (filter === undefined)
		return (
			<Text {...dim} wrap="truncate">
				{marks.rule.repeat(columns)}
			</Text>
		);
	const shown = counts === '' ? '' : ` ${marks.dot} ${counts}`;
	const room = columns - beforeFilter - aroundFilter - columnsOf(shown);
	const text = `/${cutEnd(drawable(filter), Math.max(1, room))}${shown}`;
	const left = Math.max(0, columns - beforeFilter - 1 - columnsOf(text));
	return (
		<Text {...dim} wrap="truncate">
			{marks.rule.repeat(beforeFilter - 1)} <Text {...here}>{text}</Text> {marks.rule.repeat(left)}
		</Text>
	);
}

/** What there is room for beside the name, the most important first. */
function fittingAside(aside: readonly string[], columns: number, between: string): string {
	let text = '';
	for (const one of aside) {
		const longer = `${text}${drawable(one)}${between}`;
		if (columnsOf(longer) > columns) return text;
		text = longer;
	}
	return text;
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
