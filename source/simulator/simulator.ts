/** The entry of the module: all that other folders may import (readme.md beside it). */
export {account, accountsOf} from './accounts/identities.ts';
export {datasetsWithout, schemaOf} from './analytics/schema.ts';
export {createSimulator, type Simulator, type SimulatorOptions} from './create.ts';
export {analyticsProblems, faultHelp, faultWords, parseFaults} from './faults/faults.ts';
export type {Call} from './http/calls.ts';
export {type Listener, listen} from './listen.ts';
export {removeWorldFile} from './world/database.ts';
export {GeneratedKeys, mostGeneratedKeys} from './world/generated-keys.ts';
export {migrationZones, sampleZones} from './world/zones.ts';
