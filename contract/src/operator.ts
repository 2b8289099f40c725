// The operator plane: operations under /admin/v1 on a listener of their own, never on the public port.

import * as accountRecords from './operator/account-records.ts';
import * as accounts from './operator/accounts.ts';
import * as alarms from './operator/alarms.ts';
import * as approvals from './operator/approvals.ts';
import * as builders from './operator/builders.ts';
import * as cancellations from './operator/cancellations.ts';
import * as compliance from './operator/compliance.ts';
import * as factors from './operator/factors.ts';
import * as finding from './operator/finding.ts';
import * as jobs from './operator/jobs.ts';
import * as markets from './operator/markets.ts';
import * as operators from './operator/operators.ts';
import * as parameters from './operator/parameters.ts';
import * as delegation from './operator/partner-scopes.ts';
import * as platform from './operator/platform.ts';
import * as queues from './operator/queues.ts';
import * as quotas from './operator/quotas.ts';
import * as receivers from './operator/receivers.ts';
import * as records from './operator/records.ts';
import * as revenue from './operator/revenue.ts';
import * as sessions from './operator/sessions.ts';
import * as signing from './operator/signing.ts';
import * as templates from './operator/templates.ts';
import * as tiers from './operator/tiers.ts';
import * as users from './operator/users.ts';
import * as withdrawals from './operator/withdrawals.ts';

export const operatorOperations = Object.freeze({
  openOperatorSession: sessions.openOperatorSession,
  getOperatorIdentity: sessions.getOperatorIdentity,
  closeOperatorSession: sessions.closeOperatorSession,
  listOperatorSessions: sessions.listOperatorSessions,
  endOperatorSession: sessions.endOperatorSession,
  changeOperatorPassword: sessions.changeOperatorPassword,
  stepUpOperatorSession: sessions.stepUpOperatorSession,
  getOperatorFactor: factors.getOperatorFactor,
  enrolOperatorTotp: factors.enrolOperatorTotp,
  confirmOperatorTotp: factors.confirmOperatorTotp,
  removeOperatorTotp: factors.removeOperatorTotp,
  renewOperatorRecoveryCodes: factors.renewOperatorRecoveryCodes,
  listApprovals: approvals.listApprovals,
  getApproval: approvals.getApproval,
  approveAct: approvals.approveAct,
  rejectAct: approvals.rejectAct,
  listTrail: approvals.listTrail,
  listOperators: operators.listOperators,
  addOperator: operators.addOperator,
  setOperatorRoles: operators.setOperatorRoles,
  setOperatorUser: operators.setOperatorUser,
  disableOperator: operators.disableOperator,
  resetOperatorFactor: factors.resetOperatorFactor,
  getUserScopes: users.getUserScopes,
  setUserScopes: users.setUserScopes,
  createResetLink: users.createResetLink,
  createVerificationLink: users.createVerificationLink,
  findUser: users.findUser,
  removeUserFactors: users.removeUserFactors,
  getPlatform: platform.getPlatform,
  getSamples: platform.getSamples,
  listAlarms: alarms.listAlarms,
  listJobs: jobs.listJobs,
  setPlatformMode: platform.setPlatformMode,
  decideClock: platform.decideClock,
  setParameters: parameters.setParameters,
  getParameters: parameters.getParameters,
  getQueues: queues.getQueues,
  setMaintenance: platform.setMaintenance,
  allowLocalReceiver: receivers.allowLocalReceiver,
  findMarkets: finding.findMarkets,
  haltMarket: markets.haltMarket,
  resumeMarket: markets.resumeMarket,
  approveMarket: markets.approveMarket,
  createPlatformMarket: markets.createPlatformMarket,
  cancelMarket: markets.cancelMarket,
  previewCancellation: cancellations.previewCancellation,
  proposeCancellation: cancellations.proposeCancellation,
  confirmCancellation: cancellations.confirmCancellation,
  previewRounds: cancellations.previewRounds,
  proposeRounds: cancellations.proposeRounds,
  confirmRounds: cancellations.confirmRounds,
  setTickSize: markets.setTickSize,
  clarifyMarket: markets.clarifyMarket,
  attachChainData: records.attachChainData,
  proposeResolution: markets.proposeResolution,
  ruleResolution: markets.ruleResolution,
  findAccounts: finding.findAccounts,
  creditDeposit: accounts.creditDeposit,
  correctBalance: accounts.correctBalance,
  payPlatformFees: revenue.payPlatformFees,
  listAccountOrders: accountRecords.listAccountOrders,
  listAccountFills: accountRecords.listAccountFills,
  listAccountLedger: accountRecords.listAccountLedger,
  listAccountDeposits: accountRecords.listAccountDeposits,
  getUserAccess: accountRecords.getUserAccess,
  findWithdrawals: withdrawals.findWithdrawals,
  inspectWithdrawal: withdrawals.inspectWithdrawal,
  approveWithdrawal: withdrawals.approveWithdrawal,
  rejectWithdrawal: withdrawals.rejectWithdrawal,
  takeWithdrawal: withdrawals.takeWithdrawal,
  markWithdrawalPaid: withdrawals.markWithdrawalPaid,
  freezeAccount: accounts.freezeAccount,
  unfreezeAccount: accounts.unfreezeAccount,
  setTierCeilings: tiers.setTierCeilings,
  getTierCeilings: tiers.getTierCeilings,
  setRateQuota: quotas.setRateQuota,
  getRateQuotas: quotas.getRateQuotas,
  setKeyTier: accounts.setKeyTier,
  setKeySigning: signing.setKeySigning,
  setPartnerScopes: delegation.setPartnerScopes,
  setAccountTier: accounts.setAccountTier,
  findBuilders: builders.findBuilders,
  approveBuilder: builders.approveBuilder,
  rejectBuilder: builders.rejectBuilder,
  setLoadTest: builders.setLoadTest,
  findApps: builders.findApps,
  approveApp: builders.approveApp,
  rejectApp: builders.rejectApp,
  disableApp: builders.disableApp,
  enableApp: builders.enableApp,
  setAccountCountry: compliance.setAccountCountry,
  loadCompliance: compliance.loadCompliance,
  getCompliance: compliance.getCompliance,
  testCompliance: compliance.testCompliance,
  listComplianceFlags: compliance.listComplianceFlags,
  clearComplianceFlag: compliance.clearComplianceFlag,
  linkAccounts: compliance.linkAccounts,
  startReconciliation: platform.startReconciliation,
  getReconciliation: platform.getReconciliation,
  getHistory: platform.getHistory,
  rebuildHistory: platform.rebuildHistory,
  createBackup: platform.createBackup,
  listBackups: platform.listBackups,
  findTemplates: templates.findTemplates,
  publishTemplate: templates.publishTemplate,
  deprecateTemplate: templates.deprecateTemplate,
});
