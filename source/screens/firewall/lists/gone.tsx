import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {bodyRows} from '../../../components/layout.ts';
import {Lines} from '../../../components/lines.tsx';
import {linesOf} from '../../../components/paragraphs.ts';
import {useTheme} from '../../../components/theme.ts';
import {useLedge} from '../../shell/use-ledge.ts';

/** What is shown instead of filters and rules where the service has retired them. */
export function Gone(): ReactElement {
	const {columns, rows} = useLedge(state => state.viewport);
	const {warning, marks} = useTheme();
	const lines = linesOf(
		[
			'What they did, custom rules do now: phase http_request_firewall_custom of the Rulesets API. It answers 410 Gone here.',
			'!  blocks an address or a path in an emergency, as a custom rule: that works.',
			'ctrl-r asks again.',
		],
		columns - 5,
	);
	return (
		<Box flexDirection="column" paddingTop={1} paddingLeft={3}>
			<Text {...warning}>{`${marks.warning} The service has retired filters and firewall rules.`}</Text>
			<Lines lines={lines} rows={bodyRows(rows) - 2} />
		</Box>
	);
}
