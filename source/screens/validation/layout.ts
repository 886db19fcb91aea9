import {getBodyRows, minListRows} from '../../components/layout.ts';
import {getTheme, type Marks} from '../../components/theme.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {TimePlot} from '../../text/plot/plot.ts';
import {getDetailColumns} from '../list/detail.ts';
import type {MigrationEvents} from '../migration/state.ts';
import type {Row} from '../rows/rows.ts';
import {buildValidationDetailRows, buildValidationHead, buildValidationPlot} from './rows.ts';
import {getSelectedValidationRow, getValidationRows} from './slice.ts';

/** The parts to draw, and the number of rows of each. */
type ValidationLayout = {
	readonly head: readonly Row[];
	readonly plot: TimePlot | undefined;
	readonly plotRows: number;
	/** Rows of the list, including its column titles. */
	readonly listRows: number;
	readonly detail: readonly Row[];
	/** Rows for the details of the selected row; 0 if there is no space. */
	readonly detailRows: number;
};

/** Lays out the screen for a terminal size. */
export function computeValidationLayout(
	state: StateWith<'migration' | 'validation'> & StateWith<'navigation', 'viewport'>,
	events: MigrationEvents,
	marks: Marks,
): ValidationLayout {
	const {columns, rows, isSpoken = false} = state.navigation.viewport;
	const height = getBodyRows(rows);
	const area = {columns: getDetailColumns(columns), rows: height, marks, now: events.readAt};
	const head = buildValidationHead(events, area).slice(0, Math.max(0, height - minListRows));
	const count = getValidationRows(state).length;
	const plot = count > 0 ? buildValidationPlot(events) : undefined;
	const availableRows = height - head.length;
	const desiredPlotRows = isSpoken
		? Math.floor(availableRows * 0.4)
		: availableRows < 16
			? 5
			: Math.min(16, Math.floor(availableRows * 0.34));
	const plotRows = plot && availableRows >= 13 ? desiredPlotRows : 0;
	const remainingRows = availableRows - plotRows;
	const selectedRow = getSelectedValidationRow(state);
	const detailHeight =
		selectedRow && remainingRows >= minListRows + 4 ? Math.max(3, Math.floor(remainingRows * 0.48) - 1) : 0;
	return {
		head,
		plot,
		plotRows,
		listRows: remainingRows - (detailHeight > 0 ? detailHeight + 1 : 0),
		detail: selectedRow ? buildValidationDetailRows(selectedRow, events, area) : [],
		detailRows: detailHeight,
	};
}

const {marks: plainMarks} = getTheme('none', true);

/** Measures how far the details can be scrolled, and how many rows are visible. */
export function measureDetailScroll(
	state: StateWith<'migration' | 'validation'> & StateWith<'navigation', 'viewport'>,
): {
	readonly lastTop: number;
	readonly visibleRows: number;
} {
	const {events} = state.migration.data ?? {};
	if (!events) return {lastTop: 0, visibleRows: 1};
	const {detail, detailRows: visibleRows} = computeValidationLayout(state, events, plainMarks);
	return {
		lastTop: visibleRows === 0 ? 0 : Math.max(0, detail.length - visibleRows),
		visibleRows: Math.max(1, visibleRows),
	};
}
