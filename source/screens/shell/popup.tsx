import {Box} from 'ink';
import {type ReactElement, type ReactNode, use, useRef} from 'react';
import {PointerContext} from '../../components/pointer.ts';
import {useTheme} from '../../components/theme.ts';

/** The smallest body that a popup leaves something of; in a smaller one, dialogs take all of it. */
const minBody = {columns: 70, rows: 16} as const;

const maxPopupColumns = 100;

/** Columns and rows of the frame and the blanks beside the content. */
const [frameColumns, frameRows] = [4, 2];

/** The size of a body, and what a popup over it may use. */
export type PopupArea = {
	/** Columns of the content. */
	readonly columns: number;
	/** Rows of the content if it covers the whole body. */
	readonly rows: number;
	/** Rows of the content that leave the current row of the screen visible. */
	readonly visibleRows: number;
	/** True if the popup is above the current row of the screen. */
	readonly isAbove: boolean;
	/** Rows of the body up to the popup or after it, if it fits there. */
	readonly spaceRows: number;
};

/**
 * Places a popup over a body; undefined if the dialog takes all of it. It stays where it was opened, also if
 * another dialog follows.
 */
export function usePopupArea(
	body: {readonly columns: number; readonly rows: number; readonly top: number},
	isOpen: boolean,
): PopupArea | undefined {
	const regions = use(PointerContext);
	const {isSpoken} = useTheme();
	const currentRow = useRef<number | undefined>(undefined);
	if (!isOpen) currentRow.current = undefined;
	else currentRow.current ??= Math.max(0, (regions?.findCurrentRow() ?? body.top) - body.top);
	if (isSpoken || body.columns < minBody.columns || body.rows < minBody.rows) return undefined;
	const rowsAbove = Math.min(currentRow.current ?? 0, body.rows - 1);
	const rowsBelow = body.rows - 1 - rowsAbove;
	return {
		columns: Math.min(body.columns - 4, maxPopupColumns) - frameColumns,
		rows: body.rows - frameRows,
		visibleRows: Math.max(rowsAbove, rowsBelow) - frameRows,
		isAbove: rowsAbove > rowsBelow,
		spaceRows: Math.max(0, Math.min(rowsAbove, rowsBelow) + 2),
	};
}

/** Draws a framed popup over the body, next to the current row. */
export function Popup({
	body,
	area,
	isDanger,
	children,
}: {
	readonly body: {readonly columns: number; readonly rows: number};
	readonly area: PopupArea;
	readonly isDanger: boolean;
	readonly children: ReactNode;
}): ReactElement {
	const {current, danger, marks} = useTheme();
	const {color} = isDanger ? danger : current;
	const space = <Box height={area.spaceRows} flexShrink={1} />;
	return (
		<Box
			position="absolute"
			width={body.columns}
			height={body.rows}
			flexDirection="column"
			alignItems="center"
			justifyContent={area.isAbove ? 'flex-end' : 'flex-start'}
		>
			{!area.isAbove && space}
			<Box
				// No colour: only blanks, which hide what is below.
				backgroundColor="none"
				borderStyle={marks.line === '-' ? 'classic' : 'round'}
				{...(color !== undefined && {borderColor: color})}
				width={area.columns + frameColumns}
				paddingX={1}
				flexDirection="column"
				flexShrink={0}
				overflow="hidden"
			>
				{children}
			</Box>
			{area.isAbove && space}
		</Box>
	);
}
