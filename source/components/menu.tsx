import {Box, Text, useInput} from 'ink';
import SelectInput from 'ink-select-input';
import {type FunctionComponent, type ReactElement, use, useReducer, useRef} from 'react';
import {toDrawable} from '../text/columns.ts';
import {CoveredContext} from './covered.ts';
import {usePointerRegion} from './pointer.ts';
import {useTheme} from './theme.ts';

function MenuMark({isSelected = false}: {readonly isSelected?: boolean | undefined}): ReactElement {
	const {current, marks} = useTheme();
	return (
		<Box marginRight={1} flexShrink={0}>
			<Text {...current}>{isSelected ? marks.current : ' '}</Text>
		</Box>
	);
}

/** Adds its position to the label of an entry, for screen readers. */
export const addPosition = (label: string, index: number, count: number): string =>
	`${label}, ${index + 1} of ${count}`;

function MenuItem({
	label,
	isSelected = false,
}: {
	readonly label: string;
	readonly isSelected?: boolean | undefined;
}): ReactElement {
	const {current} = useTheme();
	const box = usePointerRegion({kind: 'entry', isSelected});
	return (
		<Box ref={box}>
			<Text {...(isSelected ? current : {})} wrap="truncate-middle">
				{toDrawable(label)}
			</Text>
		</Box>
	);
}

type Entry<Value> = {
	readonly label: string;
	readonly value: Value;
	/** True to draw it as unavailable: `item` must do that, and `onSelect` may still be called. */
	readonly isDim?: boolean | undefined;
};

type SelectProps<Value> = {
	readonly items: readonly Entry<Value>[];
	/** Index of the item selected initially; the first by default. */
	readonly initialIndex?: number;
	/** Visible rows; all items by default. */
	readonly limit?: number;
	/** Renders an item. */
	readonly item?: FunctionComponent<{
		readonly label: string;
		readonly isSelected?: boolean | undefined;
		readonly isDim?: boolean | undefined;
	}>;
	onSelect(item: Entry<Value>): void;
	onHighlight?(item: Entry<Value>): void;
};

/**
 * A menu (ink-select-input) that does not wrap around: up on the first item and down on the last do nothing,
 * so that one key never goes from a safe first choice to a destructive last one. Keeps its selected item when
 * other items change.
 */
export function Select<Value extends string>({
	items,
	initialIndex = 0,
	limit = items.length,
	item = MenuItem,
	onSelect,
	onHighlight,
}: SelectProps<Value>): ReactElement {
	const selectedValue = useRef(items[initialIndex]?.value);
	const step = useRef(0);
	const isCovered = use(CoveredContext);
	const [restarts, restart] = useReducer((count: number) => count + 1, 0);
	const findItemIndex = (value: Value | undefined) =>
		Math.max(
			0,
			items.findIndex(one => one.value === value),
		);

	/** Remounts ink-select-input at the previous item if it wrapped around. */
	function highlight(next: Entry<Value>): void {
		if (findItemIndex(next.value) === findItemIndex(selectedValue.current) + step.current) {
			selectedValue.current = next.value;
			onHighlight?.(next);
		} else restart();
	}

	/** Remounts ink-select-input, which has no keys for this, at the first or last item. */
	function goToEnd(end: 'first' | 'last'): void {
		const target = items.at(end === 'first' ? 0 : -1);
		if (!target || target.value === selectedValue.current) return;
		selectedValue.current = target.value;
		restart();
		onHighlight?.(target);
	}

	return (
		<>
			<MenuKeys isActive={!isCovered} onStep={by => (step.current = by)} onEnd={goToEnd} />
			<SelectInput
				key={[restarts, ...items.map(({value}) => value)].join('\n')}
				items={[...items]}
				isFocused={!isCovered}
				initialIndex={findItemIndex(selectedValue.current)}
				limit={limit}
				indicatorComponent={MenuMark}
				itemComponent={item}
				onSelect={selectedItem => selectedItem && onSelect(selectedItem)}
				onHighlight={highlight}
			/>
		</>
	);
}

/**
 * Reports the direction of a key before the menu moves, as Ink calls listeners in mounting order, and the keys
 * for the first and last item.
 */
function MenuKeys({
	isActive,
	onStep,
	onEnd,
}: {
	readonly isActive: boolean;
	onStep(by: -1 | 1): void;
	onEnd(end: 'first' | 'last'): void;
}): null {
	useInput(
		(input, {upArrow, downArrow, home, end}) => {
			if (upArrow || input === 'k') onStep(-1);
			if (downArrow || input === 'j') onStep(1);
			if (home || input === 'g') onEnd('first');
			if (end || input === 'G') onEnd('last');
		},
		{isActive},
	);
	return null;
}

/** A menu of choices. Selects the first one again when the choices change. */
export function Choices<Choice extends {readonly label: string}>({
	choices,
	limit,
	cursor,
	onPoint,
	onChoose,
}: {
	readonly choices: readonly Choice[];
	/** Visible choices; all by default. */
	readonly limit?: number | undefined;
	readonly cursor: number;
	readonly onPoint: (index: number) => void;
	readonly onChoose: (choice: Choice) => void;
}): ReactElement {
	const {isSpoken} = useTheme();
	return (
		<Select
			key={choices.map(({label}) => label).join('\n')}
			items={choices.map(({label}, index) => ({
				label: isSpoken ? addPosition(label, index, choices.length) : label,
				value: String(index),
			}))}
			initialIndex={Math.min(cursor, Math.max(0, choices.length - 1))}
			{...(limit !== undefined && {limit})}
			onHighlight={({value}) => onPoint(Number(value))}
			onSelect={({value}) => {
				const choice = choices[Number(value)];
				if (choice) onChoose(choice);
			}}
		/>
	);
}
