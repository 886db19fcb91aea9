import {Text} from 'ink';
import type {ReactElement} from 'react';
import {useTheme} from '../../../components/theme.ts';
import type {FirewallState} from '../state.ts';

/** What the list of the rules and that of the filters are drawn from. */
export type ListProps = {
	readonly firewall: FirewallState;
	readonly columns: number;
	readonly height: number;
};

/** The names of the columns of a list: bold above the list that the cursor is in. */
export function ColumnNames({
	isFront,
	names,
}: {
	readonly isFront: boolean;
	readonly names: string;
}): ReactElement {
	const {dim} = useTheme();
	return (
		<Text {...(isFront ? {bold: true} : dim)} wrap="truncate">
			{`    ${names}`}
		</Text>
	);
}
