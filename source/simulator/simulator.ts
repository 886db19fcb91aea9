/** The entry of the module: all that other folders may import (readme.md beside it). */
export {buildSimulatedAccounts, simulatedAccount} from './accounts/identities.ts';
export {formatSchema, listAvailableDatasets} from './analytics/schema.ts';
export {createSimulator, type Simulator, type SimulatorOptions} from './create.ts';
export {analyticsProblems, faultWords, formatFaultHelp, parseFaults} from './faults/faults.ts';
export type {LoggedCall} from './http/calls.ts';
export {type Listener, startListener} from './listen.ts';
export {removeWorldFile} from './world/database.ts';
export {GeneratedKeys, maxGeneratedKeys} from './world/generated-keys.ts';
export {migrationZones, sampleZones} from './world/zones.ts';
