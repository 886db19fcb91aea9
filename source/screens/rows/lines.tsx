import {Box, Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {useTheme} from '../../components/theme.ts';
import {getThemeLooks} from './looks.ts';
import {type Row, sliceVisibleRows} from './rows.ts';

/** A row of the screen. `bold` marks the row under the cursor. */
export const RowLine = memo(
	({row, bold = false}: {readonly row: Row; readonly bold?: boolean}): ReactElement => {
		const looks = getThemeLooks(useTheme());
		if (row.length === 0) return <Text> </Text>;
		const elements: ReactElement[] = [];
		for (const {text, look, isMatch = false} of row)
			elements.push(
				<Text key={elements.length} {...looks[look]} {...(bold && {bold})} inverse={isMatch}>
					{text}
				</Text>,
			);
		return <Text wrap="truncate">{elements}</Text>;
	},
);

/** Rows keyed by index, so that scrolling reuses the lines on the screen. */
export function Rows({
	rows,
	margin = 0,
}: {
	readonly rows: readonly Row[];
	readonly margin?: number;
}): ReactElement {
	const lines: ReactElement[] = [];
	for (const row of rows) lines.push(<RowLine key={lines.length} row={row} />);
	return (
		<Box flexDirection="column" flexShrink={0} paddingLeft={margin}>
			{lines}
		</Box>
	);
}

/** The rows that fit, indented. If more follow, the last row counts them. */
export function ScrolledRows({
	rows,
	top,
	height,
	hint,
}: {
	readonly rows: readonly Row[];
	readonly top: number;
	readonly height: number;
	/** Text after that count, such as how to see more. */
	readonly hint?: string;
}): ReactElement {
	return (
		<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			<Rows rows={sliceVisibleRows(rows, height, top, hint)} margin={3} />
		</Box>
	);
}
