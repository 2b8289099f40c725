// The operator plane: operations under /admin/v1 on a listener of their own, never on the public port.

import * as accounts from './operator/accounts.ts';
import * as markets from './operator/markets.ts';
import * as platform from './operator/platform.ts';
import * as templates from './operator/templates.ts';

export const operatorOperations = Object.freeze({
  setPlatformMode: platform.setPlatformMode,
  decideClock: platform.decideClock,
  setMaintenance: platform.setMaintenance,
  haltMarket: markets.haltMarket,
  resumeMarket: markets.resumeMarket,
  approveMarket: markets.approveMarket,
  createPlatformMarket: markets.createPlatformMarket,
  previewCancellation: markets.previewCancellation,
  cancelMarket: markets.cancelMarket,
  proposeResolution: markets.proposeResolution,
  ruleResolution: markets.ruleResolution,
  creditDeposit: accounts.creditDeposit,
  setKeyTier: accounts.setKeyTier,
  setAccountTier: accounts.setAccountTier,
  startReconciliation: platform.startReconciliation,
  getReconciliation: platform.getReconciliation,
  getHistory: platform.getHistory,
  rebuildHistory: platform.rebuildHistory,
  createBackup: platform.createBackup,
  publishTemplate: templates.publishTemplate,
  deprecateTemplate: templates.deprecateTemplate,
});
