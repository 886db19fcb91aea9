import {Box, Text, useInput} from 'ink';
import {type FunctionComponent, type ReactElement, useReducer, useRef} from 'react';
import {drawable} from '../text/columns.ts';
import {firstVisible} from './list.tsx';
import {useInSight} from './pointer.ts';
import {useTheme} from './theme.ts';

/** The mark before the entry of a menu. */
function MenuMark({isSelected = false}: {readonly isSelected?: boolean | undefined}): ReactElement {
	const {here, marks} = useTheme();
	return (
		<Box marginRight={1} flexShrink={0}>
			<Text {...here}>{isSelected ? marks.here : ' '}</Text>
		</Box>
	);
}

/** The label of an entry with its place, for a screen that is read aloud. */
export const inPlace = (label: string, at: number, count: number): string =>
	`${label}, ${at + 1} of ${count}`;

/** The entry of a menu. */
function MenuItem({
	label,
	isSelected = false,
}: {
	readonly label: string;
	readonly isSelected?: boolean | undefined;
}): ReactElement {
	const {here} = useTheme();
	const box = useInSight({kind: 'entry', isSelected});
	return (
		<Box ref={box}>
			<Text {...(isSelected ? here : {})} wrap="truncate-middle">
				{drawable(label)}
			</Text>
		</Box>
	);
}

type Entry<Value> = {readonly label: string; readonly value: Value};

type SelectProps<Value> = {
	readonly items: readonly Entry<Value>[];
	/** The item that is selected at first; the first one unless given. */
	readonly initialIndex?: number;
	/** Rows that can be seen; as many as there are items unless given. */
	readonly limit?: number;
	/** Draws an item; as a menu does unless given. */
	readonly item?: FunctionComponent<{readonly label: string; readonly isSelected?: boolean | undefined}>;
	onSelect(item: Entry<Value>): void;
	onHighlight?(item: Entry<Value>): void;
};

/**
 * A menu. It ends at its ends: up on the first item and down on the last one do nothing, so that nobody gets from the
 * safe first choice to a destructive last one by one key. The selection stays on its item when others come or go.
 */
export function Select<Value extends string>({
	items,
	initialIndex = 0,
	limit = items.length,
	item: Item = MenuItem,
	onSelect,
	onHighlight,
}: SelectProps<Value>): ReactElement {
	const selected = useRef(items[initialIndex]?.value);
	const top = useRef(0);
	const [, redraw] = useReducer((count: number) => count + 1, 0);
	const findSelected = (): number =>
		Math.max(
			0,
			items.findIndex(({value}) => value === selected.current),
		);
	useInput((input, {upArrow, downArrow, return: isEnter}) => {
		const at = findSelected();
		const here = items[at];
		if (isEnter && here) return onSelect(here);
		const by = upArrow || input === 'k' ? -1 : downArrow || input === 'j' ? 1 : 0;
		const next = by === 0 ? undefined : items[at + by];
		if (!next) return;
		selected.current = next.value;
		redraw();
		onHighlight?.(next);
	});
	const at = findSelected();
	top.current = firstVisible(top.current, at, limit, items.length);
	return (
		<Box flexDirection="column">
			{items.slice(top.current, top.current + limit).map(({label, value}) => (
				<Box key={value}>
					<MenuMark isSelected={value === items[at]?.value} />
					<Item label={label} isSelected={value === items[at]?.value} />
				</Box>
			))}
		</Box>
	);
}

/** Choices in a menu; other ones begin at their first one again. */
export function Choices<Choice extends {readonly label: string}>({
	choices,
	cursor,
	onPoint,
	onChoose,
}: {
	readonly choices: readonly Choice[];
	readonly cursor: number;
	readonly onPoint: (at: number) => void;
	readonly onChoose: (choice: Choice) => void;
}): ReactElement {
	const {isSpoken} = useTheme();
	return (
		<Select
			key={choices.map(({label}) => label).join('\n')}
			items={choices.map(({label}, at) => ({
				label: isSpoken ? inPlace(label, at, choices.length) : label,
				value: String(at),
			}))}
			initialIndex={Math.min(cursor, Math.max(0, choices.length - 1))}
			onHighlight={({value}) => onPoint(Number(value))}
			onSelect={({value}) => {
				const choice = choices[Number(value)];
				if (choice) onChoose(choice);
			}}
		/>
	);
}
