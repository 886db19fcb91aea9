import type {FailureCode} from '../../failure.ts';
import type {MigrationStage} from './stage.ts';

/** The steps of a migration in the screen. */
export const migrationSteps = [
	'zone',
	'eligibility',
	'blockers',
	'review',
	'edit',
	'path',
	'rehearse',
	'confirm',
	'deploy',
	'watch',
	'done',
] as const;
export type MigrationStep = (typeof migrationSteps)[number];

/** A possible next step; `next-steps.ts` has the command of each. */
export type NextStep =
	| 'check'
	| 'plan'
	| 'plan what is in force'
	| 'send'
	| 'send once ready'
	| 'resume'
	| 'watch'
	| 'confirm again'
	| 'status'
	| 'look again later'
	| 'take over'
	| 'report';

type StateRow = {
	/** What the state means. */
	readonly meaning: string;
	/** A shorter meaning, for the offer to continue a migration. */
	readonly shortMeaning?: string;
	/** The active versions, if the state alone determines them. */
	readonly stage: MigrationStage;
	/**
	 * What is in progress: sending a PUT, finding out its outcome after a lost response, or work of the
	 * service. `at rest`: nothing until the user acts.
	 */
	readonly activity: 'sending' | 'in doubt' | 'at work' | 'at rest';
	/** When the reviewed configuration can be sent. */
	readonly sendPermission: 'now' | 'after review' | 'no';
	/** True if the last PUT took effect. */
	readonly isAccepted?: true;
	/** Set for a state that no PUT of ledge explains. */
	readonly surprise?: 'changed elsewhere' | 'unknown state';
	/** True if the last PUT changed nothing and may be sent again. */
	readonly isNotAccepted?: true;
	/** Only in validation: whether the user has confirmed that the previous version may be turned off. */
	readonly readyConfirmation?: 'to be said' | 'said';
	/** Whether a migration in this state must be resumed. `unsent`: only a review would be lost. */
	readonly unfinished: 'no' | 'unsent' | 'depends on its PUT' | 'yes';
	/** Error code of an action that this state does not allow. */
	readonly code: FailureCode;
	/** The step at which the user continues. */
	readonly step: MigrationStep;
	readonly next: readonly [NextStep, ...NextStep[]];
};

const sendingRow = {
	stage: 'unknown',
	activity: 'sending',
	sendPermission: 'no',
	unfinished: 'yes',
	code: 'job_running',
	step: 'deploy',
	next: ['resume'],
} as const satisfies Partial<StateRow>;

const unknownOutcomeRow = {
	...sendingRow,
	meaning: 'the response to the PUT was lost; reading the zone shows whether it took effect',
	shortMeaning: 'the response to the last PUT was lost',
	activity: 'in doubt',
} as const satisfies Partial<StateRow>;

const atWorkRow = {
	activity: 'at work',
	sendPermission: 'no',
	isAccepted: true,
	unfinished: 'yes',
	step: 'watch',
	next: ['watch'],
} as const satisfies Partial<StateRow>;

const bothActiveRow = {
	stage: 'validation',
	activity: 'at rest',
	unfinished: 'yes',
	step: 'watch',
} as const satisfies Partial<StateRow>;

const stateRows = {
	unread: {
		meaning: 'not loaded yet',
		stage: 'unknown',
		activity: 'at rest',
		sendPermission: 'after review',
		unfinished: 'no',
		code: 'unreviewed',
		step: 'eligibility',
		next: ['plan'],
	},
	blocked: {
		meaning: 'previous managed rules only; the zone is not eligible',
		stage: 'previous',
		activity: 'at rest',
		sendPermission: 'no',
		unfinished: 'no',
		code: 'not_eligible',
		step: 'blockers',
		next: ['check'],
	},
	eligible: {
		meaning: 'previous managed rules only; nothing reviewed yet',
		stage: 'previous',
		activity: 'at rest',
		sendPermission: 'after review',
		unfinished: 'no',
		code: 'unreviewed',
		step: 'review',
		next: ['plan'],
	},
	reviewed: {
		meaning: 'previous managed rules only; a configuration was reviewed but not sent',
		shortMeaning: 'a configuration was reviewed but not sent',
		stage: 'previous',
		activity: 'at rest',
		sendPermission: 'now',
		unfinished: 'unsent',
		code: 'usage',
		step: 'path',
		next: ['send'],
	},
	'sending validation': {...sendingRow, meaning: 'the PUT that starts validation is in progress'},
	'validation in doubt': unknownOutcomeRow,
	'starting validation': {
		...atWorkRow,
		meaning: 'the service accepted the PUT; validation is not visible yet',
		shortMeaning: 'validation is starting: both versions will be on',
		stage: 'unknown',
		code: 'job_running',
	},
	validating: {
		...bothActiveRow,
		meaning:
			'both versions are on, the new one first; the configuration that would complete the migration was reviewed',
		shortMeaning: 'both versions are on',
		sendPermission: 'now',
		isAccepted: true,
		readyConfirmation: 'to be said',
		code: 'usage',
		next: ['send once ready'],
	},
	'validating unreviewed': {
		...bothActiveRow,
		meaning: 'both versions are on; the configuration that would complete the migration was not reviewed',
		shortMeaning: 'both versions are on; not reviewed yet',
		sendPermission: 'after review',
		code: 'unreviewed',
		next: ['plan what is in force'],
	},
	'ready to update': {
		...bothActiveRow,
		meaning: 'both versions are on; you confirmed that the previous one can be turned off',
		shortMeaning: 'both versions are on; validation marked done',
		sendPermission: 'now',
		isAccepted: true,
		readyConfirmation: 'said',
		code: 'usage',
		next: ['send'],
	},
	'sending deploy': {...sendingRow, meaning: 'the PUT that cannot be undone is in progress'},
	'deploy in doubt': unknownOutcomeRow,
	finishing: {
		...atWorkRow,
		meaning: 'the service accepted the PUT; the previous version is being turned off',
		shortMeaning: 'the previous version is being turned off',
		stage: 'pending',
		code: 'already_migrated',
	},
	complete: {
		meaning: 'new version only',
		shortMeaning: 'the migration is complete',
		stage: 'complete',
		activity: 'at rest',
		sendPermission: 'no',
		isAccepted: true,
		unfinished: 'no',
		code: 'already_migrated',
		step: 'done',
		next: ['report'],
	},
	'not taken': {
		meaning: 'the last PUT was rejected, or no effect of it was seen',
		shortMeaning: 'the last PUT was rejected, or no effect of it was seen',
		stage: 'unknown',
		activity: 'at rest',
		sendPermission: 'after review',
		isNotAccepted: true,
		unfinished: 'depends on its PUT',
		code: 'usage',
		step: 'deploy',
		next: ['confirm again'],
	},
	'moved on': {
		meaning: 'the zone was changed elsewhere; nothing is sent until you review its current state',
		stage: 'unknown',
		activity: 'at rest',
		sendPermission: 'no',
		surprise: 'changed elsewhere',
		unfinished: 'depends on its PUT',
		code: 'changed_meanwhile',
		step: 'eligibility',
		next: ['status', 'take over'],
	},
	'unknown stage': {
		meaning: 'the service reports a state that ledge does not know; nothing is written',
		stage: 'unknown',
		activity: 'at rest',
		sendPermission: 'no',
		surprise: 'unknown state',
		unfinished: 'depends on its PUT',
		code: 'not_eligible',
		step: 'eligibility',
		next: ['look again later'],
	},
} as const satisfies Readonly<Record<string, StateRow>>;

export type MachineState = keyof typeof stateRows;

/**
 * The properties of each state: its meaning, next steps and error code, and what is allowed in it. All steps,
 * advice and refusals come from this table.
 */
export const stateTable: Readonly<Record<MachineState, StateRow>> = stateRows;

export const migrationStates = Object.keys(stateRows) as readonly MachineState[];

/** True if the reviewed configuration can be sent now, with a confirmation. */
export const isSendable = (state: MachineState): boolean => stateTable[state].sendPermission === 'now';

/** True if the service is working on an accepted PUT. ledge then watches the zone. */
export const isAtWork = (state: MachineState): boolean => stateTable[state].activity === 'at work';

/** True if nothing changes until the user acts. */
export const isAtRest = (state: MachineState): boolean => stateTable[state].activity === 'at rest';

/** True if the response to the last PUT is lost and its outcome unknown. */
export const hasUnknownOutcome = (state: MachineState): boolean => stateTable[state].activity === 'in doubt';

/** True if a PUT is under way or its response is lost. */
export const isUnsettled = (state: MachineState): boolean => !isAtRest(state) && !isAtWork(state);

/** True if both versions are active and nothing is under way. */
export const isValidating = (state: MachineState): boolean => stateTable[state].stage === 'validation';

/** True if the previous version is off or being turned off: nothing can be reviewed, edited or sent. */
export const isPreviousTurnedOff = (state: MachineState): boolean =>
	stateTable[state].stage === 'pending' || stateTable[state].stage === 'complete';

/** True if only the new version is active. */
export const isComplete = (state: MachineState): boolean => stateTable[state].stage === 'complete';

/** True if the service is turning off the previous version. */
export const isFinishing = (state: MachineState): boolean => stateTable[state].stage === 'pending';

/** True if the service accepted the PUT that begins validation, but validation is not visible yet. */
export const isStartingValidation = (state: MachineState): boolean =>
	isAtWork(state) && !isPreviousTurnedOff(state);

/** True if both versions are active with rules that were not reviewed. */
export const isValidatingUnreviewed = (state: MachineState): boolean =>
	isValidating(state) && stateTable[state].sendPermission === 'after review';

/** True if the user must still confirm that the previous version can be turned off. */
export const needsReadyConfirmation = (state: MachineState): boolean =>
	stateTable[state].readyConfirmation === 'to be said';

/** True if the user confirmed that the previous version can be turned off. */
export const isReadyToUpdate = (state: MachineState): boolean =>
	stateTable[state].readyConfirmation === 'said';

/** True if the zone was not read yet. */
export const isUnread = (state: MachineState): boolean => state === 'unread';

/** True if the zone cannot migrate as it is. */
export const isIneligible = (state: MachineState): boolean =>
	stateTable[state].stage === 'previous' && stateTable[state].sendPermission === 'no';

/** True if a configuration was reviewed and not sent. */
export const isReviewedUnsent = (state: MachineState): boolean => stateTable[state].unfinished === 'unsent';

/** True if the last PUT was refused or never arrived. */
export const isNotAccepted = (state: MachineState): boolean => stateTable[state].isNotAccepted === true;

export const wasChangedElsewhere = (state: MachineState): boolean =>
	stateTable[state].surprise === 'changed elsewhere';

/** True if no PUT of ledge explains the zone's state. */
export const isUnexpectedState = (state: MachineState): boolean => stateTable[state].surprise !== undefined;
