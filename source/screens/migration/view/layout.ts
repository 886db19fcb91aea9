import type {StepperProps} from '../../../components/stepper.tsx';

/** How the room of the migration is given out. */
export type MigrationLayout = {
	readonly stepper: StepperProps['form'];
	/** Rows that the step has, and the columns that its text has there. */
	readonly rows: number;
	readonly columns: number;
	/** Columns before that text. */
	readonly margin: number;
	/** Columns of the pane beside it; none where there is no room. */
	readonly side: number | undefined;
};

/** At 60×15 the steps are one line; from 76×18 on they are beside the rest; with 150 columns a third pane opens. */
export function migrationLayout(columns: number, height: number): MigrationLayout {
	if (columns < 76 || height < 14)
		return {stepper: {name: 'line'}, rows: height - 1, columns: columns - 5, margin: 3, side: undefined};
	const stepper = columns < 110 ? 20 : 31;
	const room = columns - stepper - 1;
	const side = columns < 150 ? undefined : Math.floor(room * 0.42);
	return {
		stepper: {name: 'column', columns: stepper},
		rows: height,
		columns: room - (side === undefined ? 0 : side + 3),
		margin: 0,
		side,
	};
}

/** What is said between confirmation and deployment, as the column of the steps has the room. */
export const borderLines = (form: StepperProps['form']): readonly string[] =>
	form.name === 'column' && form.columns < 30 ? ['no documented', 'way back'] : ['no documented way back'];
