import type {ClickTarget, PointerHit, PointerRegions, RowHit} from '../components/pointer.ts';
import {createKey, type Key} from '../keyboard/key.ts';
import {dispatch} from './dispatch.ts';
import {findScreenOfPathPart} from './path.ts';
import {leaveByEsc} from './places/actions.ts';
import {getInputContext, isActionActive, preferScreenActions} from './shell/action.ts';
import type {Action, App, InputContext} from './shell/app.ts';

/** Rows per step of the wheel in a list or text. */
const wheelRows = 3;

/** Maximum steps to reach a clicked row of a text. */
const maxSteps = 200;

/** A clicked row. */
type ClickedRow = {readonly app: App; readonly context: InputContext; readonly row: number};

/**
 * Creates the handler of keys and mouse. The wheel acts as the arrows; a click moves the cursor, and a second
 * one acts as enter on screens where enter only opens. A click on a hint acts as its key, and one on the path
 * as esc. A mouse never sends or confirms, and deletes
 * nothing that is stored.
 */
export function createPointerHandler(regions: PointerRegions): (app: App, key: Key) => void {
	let lastClick: ClickedRow | undefined;
	/** Counts inputs, so that any other input stops moving to a row. */
	let inputCount = 0;

	function press(app: App, name: string, times: number): void {
		for (let time = 0; time < times; time++) dispatch(app, createKey(name, ''));
	}

	function handleWheel(app: App, isDown: boolean, hit: PointerHit | undefined): void {
		const arrow = isDown ? 'down' : 'up';
		const moveAction = findBoundAction(app, arrow);
		if (moveAction && !isMenu(moveAction)) press(app, arrow, wheelRows);
		else if (hit?.kind === 'entry') press(app, arrow, 1);
		else if (findBoundAction(app, isDown ? 'pagedown' : 'pageup'))
			press(app, isDown ? 'pagedown' : 'pageup', 1);
		else if (!moveAction) press(app, arrow, wheelRows);
	}

	function handleRowClick(app: App, hit: RowHit): void {
		const context = getInputContext(app.state());
		const previousClick = lastClick;
		lastClick = undefined;
		const steps = hit.countSteps();
		if (steps === 0) {
			const isSecond =
				previousClick?.app === app && previousClick.context === context && previousClick.row === hit.row;
			if (isSecond && canOpenByClick(app)) {
				press(app, 'enter', 1);
				return;
			}
		} else {
			const arrow = steps > 0 ? 'down' : 'up';
			if (!findBoundAction(app, arrow)) return;
			if (hit.kind === 'body') seek(app, hit, arrow, inputCount);
			else press(app, arrow, Math.abs(steps));
		}
		lastClick = {app, context, row: hit.row};
	}

	/** Moves to a row of a text step by step, each drawn before the next. */
	function seek(app: App, hit: RowHit, arrow: string, startCount: number, remainingPresses = maxSteps): void {
		const remainingSteps = hit.countSteps();
		if (
			remainingSteps === 0 ||
			remainingPresses === 0 ||
			startCount !== inputCount ||
			arrow !== (remainingSteps > 0 ? 'down' : 'up')
		)
			return;
		press(app, arrow, 1);
		queueMicrotask(() => setImmediate(() => seek(app, hit, arrow, startCount, remainingPresses - 1)));
	}

	return (app, key) => {
		inputCount++;
		const {at} = key;
		if (!at) {
			lastClick = undefined;
			dispatch(app, key);
			return;
		}
		const hit = regions.findHit(at.column, at.row);
		if (key.name === 'click') {
			if (hit?.kind === 'spans') {
				lastClick = undefined;
				followTarget(app, hit.target);
			} else if (hit) handleRowClick(app, hit);
		} else handleWheel(app, key.name === 'wheel-down', hit);
	};
}

/** Runs the action of a clicked hint, or goes up to the clicked part of the path. */
function followTarget(app: App, target: ClickTarget): void {
	if (target.kind === 'path') goUpTo(app, findScreenOfPathPart(app.state(), target.index));
	else if (canRunByClick(app, findBoundAction(app, target.key), target.id))
		dispatch(app, createKey(target.key, ''));
}

/**
 * True for the action whose hint was clicked, unless it sends something: a click never answers a question, and
 * the key may mean something else by now.
 */
function canRunByClick(app: App, action: Action | undefined, hintedId: string): boolean {
	if (action?.id !== hintedId || action.effect === 'writes') return false;
	return app.state().dialog.current === undefined || action.effect === undefined;
}

/** Leaves screens until the one at `depth` of the stack is in front, as repeated esc does. */
function goUpTo(app: App, depth: number): void {
	const {messages, navigation} = app.state();
	if (depth < 0 || navigation.stack.length <= depth + 1) return;
	// What was said on the screen below may not apply above it.
	messages.leave();
	leaveByEsc(app, () => goUpTo(app, depth));
}

/** Returns the action that a key runs now. */
function findBoundAction(app: App, name: string): Action | undefined {
	const state = app.state();
	const context = getInputContext(state);
	const boundActions = preferScreenActions(
		app.actions.filter(one => one.keys.includes(name) && isActionActive(one, context, state)),
	);
	return boundActions.find(one => one.getUnavailableReason?.(state) === undefined);
}

/** True if it passes keys to a menu, which both moves and chooses. */
const isMenu = ({keys}: Action): boolean => keys.includes('enter') && keys.includes('down');

function canOpenByClick(app: App): boolean {
	const action = findBoundAction(app, 'enter');
	return app.state().dialog.current === undefined && action?.opensRow === true && !action.isDestructive;
}
