import {type ReactElement, useMemo} from 'react';
import {useTheme} from '../../../components/theme.ts';
import {detailColumns} from '../../list/screen.ts';
import {ScrolledRows} from '../../rows/lines.tsx';
import {detailRows} from '../detail-rows.ts';
import type {FirewallState} from '../state.ts';

/** The rule or filter under the cursor, from a row on. */
export function Detail({
	firewall,
	top,
	columns,
	height,
}: {
	readonly firewall: FirewallState;
	readonly top: number;
	/** Of the screen. */
	readonly columns: number;
	readonly height: number;
}): ReactElement {
	const {marks} = useTheme();
	const rows = useMemo(() => detailRows(firewall, detailColumns(columns), marks), [firewall, columns, marks]);
	return <ScrolledRows rows={rows} top={top} height={height} />;
}
