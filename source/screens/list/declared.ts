import type {LedgeState} from '../../store/ledge-store.ts';
import {actionsOf, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {Screen} from '../shell/screen-name.ts';
import {type ListRows, listOf} from './list.ts';

/** What the slice of every list has; there is no data while nothing is open. */
export type ListMembers<State> = {
	readonly data: State | undefined;
	move(by: number): void;
	filter(text: string): void;
};

/** What distinguishes a list from others. */
type Declaration<Row, Slice extends ListMembers<ListRows<Row>>> = {
	slice(state: LedgeState): Slice;
	readonly screen: Screen;
	/** The heading of its actions in the help. */
	readonly group: string;
	/** What the ids of its actions begin with. */
	readonly id: string;
	/** The word for a row: "rate limit". */
	readonly row: string;
	key(row: Row): unknown;
	/** What the filter looks at. */
	texts(row: Row): readonly (string | undefined)[];
	/** Whether its actions belong to the step of the screen that is in front; always, without it. */
	isHere?(state: LedgeState): boolean;
};

/** What `declareList` makes. */
export type DeclaredList<Row, Slice extends ListMembers<ListRows<Row>>> = ReturnType<
	typeof declareList<Row, Slice>
>;

/** Makes what the slice, the screen, the actions and the view of a list share. */
export function declareList<Row, Slice extends ListMembers<ListRows<Row>>>({
	key,
	texts,
	isHere = () => true,
	...declared
}: Declaration<Row, Slice>) {
	const rows = listOf(key, texts);
	const action = actionsOf(declared.group, [declared.screen]);
	const none = `there is no ${declared.row} here`;
	const here = (state: LedgeState): Row | undefined => rows.selected(declared.slice(state).data);
	return {
		...rows,
		...declared,
		isHere,
		/** Why nothing can be done where no row is. */
		none,
		/** The row under the cursor. */
		here,
		/** Makes an action of the list. */
		action: (...[id, keys, title, rest]: Parameters<typeof action>): Action =>
			action(id, keys, title, {isHere, ...rest}),
		/** What an action does with the row under the cursor. `refused` is why it cannot be done with any. */
		onRow: (
			work: (app: App, row: Row, data: NonNullable<Slice['data']>) => void,
			refused?: (state: LedgeState) => string | undefined,
		) =>
			withFound(
				here,
				none,
				(app, row) => {
					const {data} = declared.slice(app.state());
					if (data) work(app, row, data);
				},
				refused,
			),
	};
}
