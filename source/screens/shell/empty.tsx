import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {Lines} from '../../components/lines.tsx';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import type {Failure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {useLedge} from './use-ledge.ts';

/** Shown for a list that is not loaded, because reading was cancelled or never began. */
export const formatNotLoaded = (): string => `Not loaded (${nameKey('reload', 'ctrl-r')} loads it).`;

/** Replaces an empty list: says why it is empty and what to do. */
export function Empty({
	title = '',
	next,
	failure,
	isUnread = false,
}: {
	readonly title?: string;
	readonly next?: string | undefined;
	readonly failure?: Failure | undefined;
	/** True if the list is not loaded; the screen says so unless it is being read. */
	readonly isUnread?: boolean;
}): ReactElement {
	const isReading = useLedge(state =>
		state.work.list.some(({kind}) => kind === 'read' || kind === 'background'),
	);
	const {danger, marks} = useTheme();
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const width = columns - 5;
	const details = failure?.details;
	const heading = wrapParagraphs([failure && `${marks.failed} ${failure.message}`], width, 2);
	const lines = wrapParagraphs(
		[
			isUnread && !isReading ? formatNotLoaded() : title,
			details?.why,
			failure?.next,
			next,
			failure && 'Not loaded: ctrl-r tries again.',
		],
		width,
	);
	return (
		<Box flexDirection="column" paddingTop={1} paddingLeft={3}>
			{heading.length > 0 && <Text {...danger}>{heading.join('\n')}</Text>}
			<Lines lines={lines} rows={getBodyRows(rows) - 1 - heading.length} />
		</Box>
	);
}
