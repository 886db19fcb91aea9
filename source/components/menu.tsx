import {Box, Text} from 'ink';
import SelectInput from 'ink-select-input';
import type {ReactElement} from 'react';
import {drawable} from '../text/columns.ts';
import {useInSight} from './pointer.ts';
import {useTheme} from './theme.ts';

/** The mark before the entry of a menu (ink-select-input). */
export function MenuMark({isSelected = false}: {readonly isSelected?: boolean | undefined}): ReactElement {
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
export function MenuItem({
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
		<SelectInput
			key={choices.map(({label}) => label).join('\n')}
			items={choices.map(({label}, at) => ({
				label: isSpoken ? inPlace(label, at, choices.length) : label,
				value: at,
				key: String(at),
			}))}
			initialIndex={Math.min(cursor, Math.max(0, choices.length - 1))}
			indicatorComponent={MenuMark}
			itemComponent={MenuItem}
			onHighlight={({value}) => onPoint(value)}
			onSelect={({value}) => {
				const choice = choices[value];
				if (choice) onChoose(choice);
			}}
		/>
	);
}
