import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {Choices} from '../../components/menu.tsx';
import {useTheme} from '../../components/theme.ts';
import {ScrolledRows} from '../rows/lines.tsx';
import {layOutEnding} from './ending-layout.ts';
import type {FormResultText} from './state.ts';

/** The outcome of a form, and the next choices. `top`: scroll offset of the facts. */
export function EndingView<Choice extends {readonly label: string}>({
	outcome,
	viewport,
	top,
	...menu
}: Parameters<typeof Choices<Choice>>[0] & {
	readonly outcome: FormResultText;
	readonly viewport: {readonly columns: number; readonly rows: number};
	readonly top: number;
}): ReactElement {
	const theme = useTheme();
	const {tone} = outcome;
	const looks = {good: theme.good, warning: theme.warning, failed: theme.danger};
	const mark = {good: theme.marks.done, warning: theme.marks.warning, failed: theme.marks.failed}[tone];
	const {title, facts, factRows, choiceRows, blankRows} = layOutEnding(
		outcome,
		mark,
		menu.choices.length,
		viewport,
	);
	return (
		<Box flexDirection="column">
			<Text {...looks[tone]}>{title.map(line => `   ${line}`).join('\n')}</Text>
			<Box paddingTop={blankRows} flexDirection="column">
				<ScrolledRows rows={facts} top={top} height={Math.min(facts.length, factRows)} hint=": space" />
			</Box>
			<Box paddingLeft={2} paddingTop={blankRows} flexDirection="column" flexShrink={0}>
				<Choices {...menu} limit={choiceRows} />
			</Box>
		</Box>
	);
}
