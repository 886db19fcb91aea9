import type {MachineState} from './states.ts';

/* The migration of a zone as a state machine, with all failures that can occur. Pure. */

/**
 * The events. Observations of the service are events like any other. `ours` means the configuration that
 * ledge sent or that was reviewed.
 */
export const migrationEvents = {
	'sees nothing new': 'nothing shows yet that the PUT arrived',
	'sees previous': 'previous managed rules only, and eligible',
	'sees blocked': 'previous managed rules only, and not eligible',
	'sees ours saved': 'the entry point holds what was sent; the stage is as it was before',
	'sees validation': 'both versions, the entry point with other rules',
	'sees ours in validation': 'both versions, the entry point with our rules',
	'sees pending': 'the previous version is being turned off, the entry point with other rules',
	'sees ours pending': 'the previous version is being turned off, the entry point with our rules',
	'sees complete': 'new version only, the entry point with other rules',
	'sees ours complete': 'new version only, the entry point with our rules',
	'sees unknown': 'a state that ledge does not know',
	review: 'the user reviewed a configuration',
	edit: 'the configuration was changed after its review',
	ready: 'the user confirmed that the previous version can be turned off',
	'send validation': 'the user typed the zone name, all data was reread, and the journal has the request',
	'send deploy': 'the user typed the zone name, all data was reread, and the journal has the request',
	accepted: 'the service accepted the PUT',
	refused: 'the service rejected the PUT',
	lost: 'no response, or one that leaves the outcome unknown',
	'give up': 'after five minutes of reading, nothing shows that the PUT arrived',
	'take over': 'the user has seen the current state, and starts again from it',
} as const;

export type MigrationEvent = keyof typeof migrationEvents;

type TransitionRow = Readonly<Partial<Record<MigrationEvent, MachineState>>>;

/** The states that follow an observation while ledge has nothing in progress. */
const observedTransitions = {
	'sees previous': 'eligible',
	'sees blocked': 'blocked',
	'sees validation': 'validating unreviewed',
	'sees ours in validation': 'validating unreviewed',
	'sees pending': 'finishing',
	'sees ours pending': 'finishing',
	'sees complete': 'complete',
	'sees ours complete': 'complete',
	'sees unknown': 'unknown stage',
} as const satisfies TransitionRow;

/** The states after someone else took the zone beyond the previous version. */
const foreignChangeTransitions = {
	'sees validation': 'moved on',
	'sees ours in validation': 'moved on',
	'sees pending': 'moved on',
	'sees ours pending': 'moved on',
	'sees complete': 'moved on',
	'sees ours complete': 'moved on',
	'sees unknown': 'unknown stage',
} as const satisfies TransitionRow;

/** The states after validation if someone else caused another stage. */
const outOfValidationTransitions = {
	'sees previous': 'moved on',
	'sees blocked': 'moved on',
	...foreignChangeTransitions,
} as const satisfies TransitionRow;

/**
 * The states after a validation PUT that may have taken effect. If the rules are not ours, someone else
 * changed them.
 */
const validationTransitions = {
	'sees ours saved': 'starting validation',
	'sees ours in validation': 'validating',
	'sees validation': 'moved on',
	'sees pending': 'moved on',
	'sees ours pending': 'moved on',
	'sees complete': 'moved on',
	'sees ours complete': 'moved on',
} as const satisfies TransitionRow;

/** The states after a final PUT that may have taken effect. */
const deployTransitions = {
	'sees ours saved': 'finishing',
	'sees ours pending': 'finishing',
	'sees ours complete': 'complete',
	'sees pending': 'moved on',
	'sees complete': 'moved on',
} as const satisfies TransitionRow;

/** The states after a PUT that was presumed lost took effect. */
const lateFinishTransitions = {
	'sees ours pending': 'finishing',
	'sees ours complete': 'complete',
} as const satisfies TransitionRow;

const lateArrivalTransitions = {
	...lateFinishTransitions,
	'sees ours in validation': 'validating',
} as const satisfies TransitionRow;

const buildResponseTransitions = (acceptedState: MachineState, unknownOutcomeState: MachineState) =>
	({
		accepted: acceptedState,
		refused: 'not taken',
		lost: unknownOutcomeState,
	}) as const satisfies TransitionRow;

/** While the effect of a PUT is awaited, an observation without it changes nothing. */
const buildUnchangedTransitions = <State extends MachineState>(state: State) =>
	({
		'sees nothing new': state,
		'sees unknown': state,
		'sees previous': state,
		'sees blocked': state,
	}) as const;

/** The state after each event, by current state. An event that is not listed is not allowed. */
export const transitions: Readonly<Record<MachineState, TransitionRow>> = {
	unread: observedTransitions,
	blocked: {...foreignChangeTransitions, 'sees previous': 'eligible', 'sees blocked': 'blocked'},
	eligible: {
		...foreignChangeTransitions,
		'sees previous': 'eligible',
		'sees blocked': 'blocked',
		review: 'reviewed',
		edit: 'eligible',
	},
	reviewed: {
		...foreignChangeTransitions,
		...lateArrivalTransitions,
		'sees previous': 'reviewed',
		'sees blocked': 'blocked',
		review: 'reviewed',
		edit: 'eligible',
		'send validation': 'sending validation',
		'send deploy': 'sending deploy',
	},
	'sending validation': buildResponseTransitions('starting validation', 'validation in doubt'),
	'validation in doubt': {
		...buildUnchangedTransitions('validation in doubt'),
		...validationTransitions,
		'give up': 'not taken',
	},
	'starting validation': {
		...buildUnchangedTransitions('starting validation'),
		...validationTransitions,
		'take over': 'unread',
	},
	validating: {
		...outOfValidationTransitions,
		...lateFinishTransitions,
		'sees ours in validation': 'validating',
		'sees validation': 'moved on',
		review: 'validating',
		edit: 'validating unreviewed',
		ready: 'ready to update',
		'send validation': 'sending validation',
	},
	'validating unreviewed': {
		...outOfValidationTransitions,
		'sees ours in validation': 'validating unreviewed',
		'sees validation': 'validating unreviewed',
		review: 'validating',
		edit: 'validating unreviewed',
	},
	'ready to update': {
		...outOfValidationTransitions,
		...lateFinishTransitions,
		'sees ours in validation': 'ready to update',
		'sees validation': 'moved on',
		review: 'validating',
		edit: 'validating unreviewed',
		ready: 'ready to update',
		'send deploy': 'sending deploy',
	},
	'sending deploy': buildResponseTransitions('finishing', 'deploy in doubt'),
	'deploy in doubt': {
		...buildUnchangedTransitions('deploy in doubt'),
		'sees validation': 'moved on',
		'sees ours in validation': 'moved on',
		...deployTransitions,
		'give up': 'not taken',
	},
	finishing: {
		...buildUnchangedTransitions('finishing'),
		'sees validation': 'finishing',
		'sees ours in validation': 'finishing',
		'sees ours saved': 'finishing',
		'sees pending': 'finishing',
		'sees ours pending': 'finishing',
		'sees complete': 'complete',
		'sees ours complete': 'complete',
		'take over': 'unread',
	},
	// An earlier stage means that the migration was never complete, or that the readings contradict each
	// other: the user must check.
	complete: {
		'sees previous': 'moved on',
		'sees blocked': 'moved on',
		'sees validation': 'moved on',
		'sees ours in validation': 'moved on',
		// A stale reading; ends in the same state.
		'sees pending': 'complete',
		'sees ours pending': 'complete',
		'sees complete': 'complete',
		'sees ours complete': 'complete',
		'sees unknown': 'complete',
	},
	'not taken': {
		...foreignChangeTransitions,
		...lateArrivalTransitions,
		'sees previous': 'reviewed',
		'sees blocked': 'blocked',
		'sees validation': 'validating unreviewed',
	},
	'moved on': {...outOfValidationTransitions, 'sees unknown': 'moved on', 'take over': 'unread'},
	'unknown stage': observedTransitions,
};

/** Returns the state after an event. Undefined if the event is not allowed. */
export const getNextState = (state: MachineState, event: MigrationEvent): MachineState | undefined =>
	transitions[state][event];

/** Returns the state after the process ended. If a PUT was under way, its response is lost. */
export const getStateAfterInterruption = (state: MachineState): MachineState =>
	getNextState(state, 'lost') ?? state;
