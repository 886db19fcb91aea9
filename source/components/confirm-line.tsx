import {Text} from 'ink';
import type {ReactElement} from 'react';
import {toDrawable} from '../text/columns.ts';
import {useTheme} from './theme.ts';

/** The keys that answer a question: `y` does what the label says, esc does not. */
export function ConfirmLine({
	actionLabel,
	escKeys = ['esc'],
	escLabel,
}: {
	readonly actionLabel: string;
	readonly escKeys?: readonly string[];
	readonly escLabel: string;
}): ReactElement {
	const {danger} = useTheme();
	return (
		<Text wrap="truncate">
			<Text {...danger}>y</Text> {toDrawable(actionLabel)}
			{'   '}
			{escKeys.map((key, index) => (
				<Text key={key}>
					{index > 0 && ', '}
					<Text bold>{key}</Text>
				</Text>
			))}{' '}
			{escLabel}
		</Text>
	);
}
