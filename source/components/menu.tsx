import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {drawable} from '../text/columns.ts';
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

/** The entry of a menu. */
export function MenuItem({
	label,
	isSelected = false,
}: {
	readonly label: string;
	readonly isSelected?: boolean | undefined;
}): ReactElement {
	const {here} = useTheme();
	return (
		<Text {...(isSelected ? here : {})} wrap="truncate-middle">
			{drawable(label)}
		</Text>
	);
}
