import {Box} from 'ink';
import {type ReactElement, type ReactNode, use, useRef} from 'react';
import {getBodyRows, headerRows} from '../../components/layout.ts';
import {PointerContext} from '../../components/pointer.ts';
import {useTheme} from '../../components/theme.ts';
import {frameColumns, frameRows} from './dialog-size.ts';
import type {Viewport} from './navigation-slice.ts';

/** Where a popup is, relative to the current row of the screen. */
export type PopupPlace = {
	/** Maximum rows of content that leave the current row visible. */
	readonly maxContentRows: number;
	readonly isAbove: boolean;
};

/** Minimum rows of content; in a low terminal this may cover the current row. */
const minContentRows = 7;

/**
 * Places popups at the edge of the body that is farther from the current row, so that the rows beside it stay
 * visible. A popup stays there, even if another dialog follows.
 */
export function usePopupPlace({rows}: Pick<Viewport, 'rows'>, isOpen: boolean): PopupPlace {
	const regions = use(PointerContext);
	const currentRow = useRef<number | undefined>(undefined);
	if (!isOpen) currentRow.current = undefined;
	else currentRow.current ??= Math.max(0, (regions?.findCurrentRow() ?? headerRows) - headerRows);
	const bodyRows = getBodyRows(rows);
	const rowsAbove = Math.min(currentRow.current ?? 0, bodyRows - 1);
	const rowsBelow = bodyRows - 1 - rowsAbove;
	return {
		maxContentRows: Math.max(minContentRows, Math.max(rowsAbove, rowsBelow) - frameRows),
		isAbove: rowsAbove > rowsBelow,
	};
}

/** Draws a framed popup over an edge of the body. */
export function Popup({
	viewport: {columns, rows},
	contentColumns,
	place: {isAbove},
	isDanger,
	children,
}: {
	readonly viewport: Viewport;
	readonly contentColumns: number;
	readonly place: PopupPlace;
	readonly isDanger: boolean;
	readonly children: ReactNode;
}): ReactElement {
	const {danger, border, marks} = useTheme();
	// A colour costs bytes in each row: by default only dangerous questions have one.
	const {color} = isDanger ? danger : border;
	return (
		<Box
			position="absolute"
			width={columns}
			height={getBodyRows(rows)}
			flexDirection="column"
			alignItems="center"
			justifyContent={isAbove ? 'flex-start' : 'flex-end'}
		>
			<Box
				// Not a colour: fills the box with blanks, which hide what is behind it.
				backgroundColor="none"
				borderStyle={marks.line === '-' ? 'classic' : 'round'}
				{...(color !== undefined && {borderColor: color})}
				width={contentColumns + frameColumns}
				paddingX={1}
				flexDirection="column"
				flexShrink={0}
				overflow="hidden"
			>
				{children}
			</Box>
		</Box>
	);
}
