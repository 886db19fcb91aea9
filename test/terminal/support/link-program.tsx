// Prints a row with a link, cut to each of these widths, as bytes for a terminal, as JSON.
import {Box, renderToString} from 'ink';
import {getTheme, ThemeContext} from '../../../source/components/theme.ts';
import {RowLine} from '../../../source/screens/rows/lines.tsx';
import {cutRow} from '../../../source/screens/rows/rows.ts';
import {linkedRow, widths} from './linked-row.ts';

const draw = (row: typeof linkedRow, columns: number, hasLinks: boolean) =>
	renderToString(
		<ThemeContext value={{...getTheme('dark', true), hasLinks}}>
			<Box width={columns}>
				<RowLine row={row} />
			</Box>
		</ThemeContext>,
		{columns},
	);

const pictures = widths.map(columns => ({
	columns,
	// Cut by Ink, and by ledge, on both sides.
	end: draw(linkedRow, columns, true),
	both: draw(cutRow(linkedRow, 3, columns), columns, true),
	plain: draw(linkedRow, columns, false),
}));
process.stdout.write(JSON.stringify(pictures));
